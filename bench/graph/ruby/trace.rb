# Writes down which method calls which, and what constants stand for, as a program runs. Beside this file, gold.rb
# tells how it is used.
#
#   call  FILE LINE NAME  FILE LINE NAME     by which name it is called, and its definition, if that is in the folder
#   call  FILE LINE NAME  NAME               else, if it has another one, its own name
#   const FILE LINE COLUMN NAME  FILE LINE…  of a class each of the places where it is opened
module RagnavTrace
  ROOT = "#{File.realpath(ENV.fetch('TRACE_ROOT'))}/".freeze
  OUT = File.join(ENV.fetch('TRACE_OUT'), "#{Process.pid}.tsv")

  # Readers and writers raise no event: they become methods that do, where they are declared.
  module Accessors
    %i[attr_reader attr_writer attr_accessor].each do |word|
      define_method(word) do |*names|
        at = caller_locations(1, 1)[0]
        at.absolute_path.to_s.start_with?(ROOT) ? RagnavTrace.accessors(self, at, word, names) : super(*names)
      end
    end
  end

  module_function

  def accessors(owner, at, word, names)
    names.flat_map do |name|
      made = []
      made << owner.class_eval("def #{name} = @#{name}", at.path, at.lineno) unless word == :attr_writer
      made << owner.class_eval("def #{name}=(value); @#{name} = value; end", at.path, at.lineno) unless word == :attr_reader
      made
    end
  end

  def start
    @calls, @others = {}, {}
    @traces = [
      TracePoint.new(:call) do |t|
        from = caller_locations(2, 1)&.first
        if from && (file = from.absolute_path) && file.start_with?(ROOT)
          if t.path.start_with?(ROOT)
            name = from.label == 'new' && t.method_id == :initialize ? :new : t.callee_id
            @calls[[file, from.lineno, name, t.path, t.lineno, t.method_id]] = true
          else
            @others[[file, from.lineno, t.callee_id, t.method_id]] = true
          end
        end
      end,
      TracePoint.new(:c_call) { |t| @others[[t.path, t.lineno, t.callee_id, t.method_id]] = true if t.path.start_with?(ROOT) }
    ]
    @traces.each(&:enable)
    at_exit { finish }
  end

  def finish
    @traces.each(&:disable)
    File.open(OUT, 'w') do |out|
      @calls.each_key do |file, line, name, path, row, method|
        out.puts ['call', file.delete_prefix(ROOT), line, name, path.delete_prefix(ROOT), row, method].join("\t")
      end
      @others.each_key do |file, line, name, method|
        out.puts ['call', file.delete_prefix(ROOT), line, name, *(method if method != name)].join("\t")
      end
      Constants.new(out).write
    end
  end

  # Constants looks up what the constants in all files stand for that were loaded, as Ruby does.
  class Constants
    def initialize(out)
      @out, @opened, @uses = out, Hash.new { |h, k| h[k] = [] }, []
    end

    def write
      $LOADED_FEATURES.push(*Dir["#{ROOT}**/*.rb"]).uniq.each do |path|
        next unless path.start_with?(ROOT) && path.end_with?('.rb')

        walk(RubyVM::AbstractSyntaxTree.parse_file(path), [], path)
      rescue SyntaxError, ArgumentError, Errno::ENOENT
        next
      end
      @uses.each { |use| look_up(*use) }
    end

    private

    def walk(node, nesting, path)
      return unless node.is_a?(RubyVM::AbstractSyntaxTree::Node)

      case node.type
      when :CLASS, :MODULE
        name, *rest = node.children
        walk(name, nesting, path)
        body = rest.pop
        rest.each { |n| walk(n, nesting, path) }
        inner = opened(name, nesting, path)
        return walk(body, inner ? [inner] + nesting : [nil] + nesting, path)
      when :CONST then @uses << [path, node.first_lineno, node.first_column, node.children[0], nesting]
      when :COLON2
        if node.children[1].match?(/\A[A-Z]/) && node.children[0]
          width = node.children[1].to_s.bytesize
          @uses << [path, node.last_lineno, node.last_column - width, node.children[1], scope(node.children[0], nesting)]
        end
      end
      node.children.each { |n| walk(n, nesting, path) }
    end

    # scope is the module that a path of constants before a "::" stands for, as what is looked in alone.
    def scope(node, nesting)
      found =
        case node.type
        when :CONST then found(node.children[0], nesting)
        when :COLON2 then (in_ = scope(node.children[0], nesting)) && found(node.children[1], in_)
        when :COLON3 then found(node.children[0], Object)
        when :SELF then nesting.first
        end
      found && found[0].const_get(found[1], false).then { |m| m if m.is_a?(Module) }
    rescue NameError, LoadError
      nil
    end

    def opened(name, nesting, path)
      around, last =
        case name.type
        when :COLON2 then [name.children[0] ? scope(name.children[0], nesting) : nesting.first || Object, name.children[1]]
        when :COLON3 then [Object, name.children[0]]
        end
      return unless around && around.const_defined?(last, false) && !around.autoload?(last)

      m = around.const_get(last, false)
      @opened[m] << [path.delete_prefix(ROOT), name.last_lineno, last] if m.is_a?(Module)
      m if m.is_a?(Module)
    end

    # found is the module that holds a constant, and its name.
    def found(name, nesting)
      return held(nesting, name) if nesting.is_a?(Module)
      return if nesting.nil? || nesting.include?(nil)

      inner = nesting.find { |m| m.const_defined?(name, false) }
      inner ? [inner, name] : held(nesting.first || Object, name) || held(Object, name)
    end

    def held(mod, name)
      m = mod.ancestors.find { |a| a.const_defined?(name, false) }
      m && !m.autoload?(name) ? [m, name] : nil
    end

    def look_up(path, line, column, name, nesting)
      holder, last = found(name, nesting)
      return unless holder

      value = holder.const_get(last, false)
      file, row = holder.const_source_location(last, false)
      places = @opened.fetch(value, []).select { |_, _, n| n == last } if value.is_a?(Module)
      places = [*places]
      places |= [[file.delete_prefix(ROOT), row, last]] if file&.start_with?(ROOT)
      @out.puts ['const', path.delete_prefix(ROOT), line, column + 1, name, *places.flat_map { |p| p[0, 2] }].join("\t")
    rescue NameError, LoadError, ArgumentError
      nil
    end
  end
end

Module.prepend(RagnavTrace::Accessors)
RagnavTrace.start
