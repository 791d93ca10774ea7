# What Elixir's compiler says of the Elixir in a folder, for ../java/compare.py:
#
#   elixir -pa 'EBIN' bench/graph/elixir/gold.exs DIR GOLD.tsv     EBIN: what the sources need, compiled
#   go run ./bench/graph/dump DIR .ex .exs > DUMP.json
#   python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]
#
# A tracer is told what each call, alias and struct stands for while lib and test are compiled. Where a function is
# declared the files themselves say; all clauses of one are of one row. What macros make has no place and is left out.
[root, out] = System.argv()
root = Path.expand(root)

defmodule Gold do
  def start, do: :ets.new(:events, [:named_table, :public, :bag])

  def trace({kind, meta, module, name, arity}, env)
      when kind in [:remote_function, :remote_macro, :imported_function, :imported_macro],
      do: note(env, meta, name, {:function, module, name, arity})

  def trace({kind, meta, name, arity}, env) when kind in [:local_function, :local_macro],
    do: note(env, meta, name, {:local, env.module, name, arity})

  def trace({:alias_reference, meta, module}, env), do: note(env, meta[:last] || meta, nil, {:module, module})
  def trace({:alias, meta, module, _as, _opts}, env), do: note(env, meta, nil, {:module, module})
  def trace(_event, _env), do: :ok

  defp note(env, meta, name, what) do
    if meta[:column], do: :ets.insert(:events, {env.file, meta[:line], meta[:column], name, what})
    :ok
  end

  # The modules and functions that a file declares: {what, {line, column}}.
  def declared(file) do
    {:ok, ast} = Code.string_to_quoted(File.read!(file), columns: true)
    walk(ast, nil)
  end

  defp walk({word, _, [{:__aliases__, meta, parts} | rest]}, around) when word in [:defmodule, :defprotocol] do
    module = if around && hd(parts) != Elixir, do: Module.concat([around | parts]), else: Module.concat(parts)
    last = meta[:last] || meta
    [{{:module, module}, {last[:line], last[:column]}} | walk(rest, module)]
  end

  defp walk({:defimpl, _, [{:__aliases__, _, parts} | rest]}, around) do
    _ = around
    walk(rest, Module.concat(parts ++ [Impl]))
  end

  defp walk({word, _, [head | rest]}, module)
       when word in [:def, :defp, :defmacro, :defmacrop, :defguard, :defguardp, :defdelegate] do
    {name, meta, args} =
      case head do
        {:when, _, [{name, meta, args} | _]} -> {name, meta, args}
        {name, meta, args} -> {name, meta, args}
        _ -> {nil, [], []}
      end

    args = if is_list(args), do: args, else: []
    optional = Enum.count(args, &match?({:\\, _, _}, &1))
    at = {meta[:line], meta[:column]}
    found = for n <- (length(args) - optional)..length(args), is_atom(name), do: {{:function, module, name, n}, at}
    found ++ walk(rest, module)
  end

  defp walk({a, _, b}, around), do: walk(a, around) ++ walk(b, around)
  defp walk({a, b}, around), do: walk(a, around) ++ walk(b, around)
  defp walk(list, around) when is_list(list), do: Enum.flat_map(list, &walk(&1, around))
  defp walk(_, _), do: []
end

Gold.start()
files = Path.wildcard(Path.join(root, "{lib,test}/**/*.{ex,exs}"))
sources = Map.new(files, &{&1, File.read!(&1) |> String.split("\n") |> List.to_tuple()})

declared =
  for file <- files, {what, at} <- Gold.declared(file), reduce: %{} do
    all -> Map.update(all, what, [{file, at}], &(&1 ++ [{file, at}]))
  end

Code.put_compiler_option(:parser_options, columns: true)
Code.put_compiler_option(:tracers, [Gold])
Code.put_compiler_option(:ignore_module_conflict, true)
{lib, test} = Enum.split_with(files, &String.ends_with?(&1, ".ex"))

# One file that can't be compiled here is left out, and compilation begins again.
compile = fn compile, files ->
  case Kernel.ParallelCompiler.compile(files) do
    {:ok, _, _} ->
      :ok

    {:error, errors, _} ->
      bad = errors |> Enum.map(&elem(&1, 0)) |> Enum.uniq()
      IO.puts(:stderr, "left out: #{Enum.join(bad, " ")}")
      left = files -- bad
      if left != [] and length(left) < length(files), do: compile.(compile, left)
  end
end

Process.flag(:trap_exit, true)
ExUnit.start(autorun: false)
compile.(compile, lib)

for file <- Enum.sort_by(test, &(not String.contains?(&1, ["support", "helper"]))) do
  try do
    # doctest wants documentation, which is in files only
    File.read!(file) |> String.replace(~r/^( *)doctest .*$/m, "\\1:ok") |> Code.compile_string(file)
  catch
    _, reason -> IO.puts(:stderr, "left out: #{file} #{inspect(reason) |> String.slice(0, 120)}")
  end
end

Code.put_compiler_option(:tracers, [])
relative = &Path.relative_to(&1, root)
place = fn {file, {line, column}} -> [relative.(file), line, column] end

text = fn file, line, column ->
  source = Map.get(sources, file, {})
  if line in 1..tuple_size(source)//1, do: source |> elem(line - 1) |> String.slice((column - 1)..-1//1), else: ""
end

# A name may stand behind the dot that an event is about.
at = fn file, line, column, name ->
  Enum.find([column, column + 1], fn c ->
    rest = text.(file, line, c)
    String.starts_with?(rest, name) and not String.match?(String.replace_prefix(rest, name, ""), ~r/\A[\w?!]/)
  end)
end

rows =
  for {file, line, column, _name, what} <- :ets.tab2list(:events), Map.has_key?(sources, file) do
    name =
      case what do
        {:module, module} -> module |> Atom.to_string() |> String.split(".") |> List.last()
        {_, _, name, _} -> Atom.to_string(name)
      end

    # what macros and implementations of protocols declare is not known here
    {places, known} =
      case what do
        {:module, _} -> {Map.get(declared, what, []), true}
        {:local, m, name, n} -> {Map.get(declared, {:function, m, name, n}, []), false}
        {:function, m, _, _} -> {Map.get(declared, what, []), not Map.has_key?(declared, {:module, m})}
      end

    with false <- {file, {line, column}} in places,
         true <- String.match?(name, ~r/\A\w+[?!]?\z/),
         column when column != nil <- at.(file, line, column, name) do
      kind = elem(what, 0)

      decl =
        case places do
          [first | more] -> place.(first) ++ [kind | Enum.flat_map(more, place)]
          [] -> [if(known, do: "external", else: "unknown")]
        end

      [relative.(file), line, column, name, kind | decl]
    else
      _ -> nil
    end
  end

rows
|> Enum.filter(& &1)
|> Enum.uniq()
|> Enum.group_by(&Enum.take(&1, 3))
|> Enum.flat_map(fn {_, rows} -> Enum.sort_by(rows, &(-length(&1))) |> Enum.take(1) end)
|> Enum.sort()
|> Enum.map(&[Enum.join(&1, "\t"), "\n"])
|> then(&File.write!(out, &1))
