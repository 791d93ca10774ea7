# What Ruby says of the Ruby in a folder, for ../java/compare.py: true edges, of the calls that its own tests make.
#
#   export TRACE_ROOT=DIR TRACE_OUT=$(mktemp -d) RUBYOPT=-r$PWD/bench/graph/ruby/trace.rb
#   (cd DIR && rake test)                                        or whatever runs them
#   RUBYOPT= ruby bench/graph/ruby/gold.rb DIR $TRACE_OUT > GOLD.tsv
#   go run ./bench/graph/dump DIR .rb > DUMP.json
#   python3 bench/graph/java/compare.py DUMP.json GOLD.tsv [SHOW]
#
# A line of code counts once for each name that is called there, if that name is in it once: an event has no column.
# All methods that were called from there are of one row. It needs Ruby from 3.1.
require 'ripper'

root, traces = ARGV
names = Hash.new do |h, path|
  text = File.read(File.join(root, path))
  h[path] = Hash.new { |lines, line| lines[line] = Hash.new { |l, name| l[name] = [] } }
  Ripper.lex(text).each do |(line, column), kind, token|
    case kind
    when :on_ident, :on_const, :on_kw, :on_op, :on_backtick then h[path][line][token] << [column + 1, kind]
    when :on_tstring_content then token.match?(/\A\w+[?!=]?\z/) && h[path][line][token] << [column + 1, kind]
    end
  end
  h[path]
end

lines = Hash.new { |h, path| h[path] = File.readlines(File.join(root, path), chomp: true).map(&:b) }

# Where a method is declared: its name, of a symbol with the colon.
declared = lambda do |path, row, name|
  column, = names[path][row][name].first || names[path][row][name.delete_suffix('=')].first || [1]
  [path, row, column > 1 && lines[path][row - 1][column - 2] == ':' ? column - 1 : column]
end

# Where methods are given other names, by both.
aliases = Hash.new { |h, k| h[k] = [] }
Dir[File.join(root, '**/*.rb')].each do |file|
  path = file.delete_prefix(File.join(root, ''))
  lines[path].each_with_index do |line, i|
    name, method = line[/\balias(?:_method)?[ (]\s*(.*)/n, 1]&.scan(/:?([\w?!=]+|[^\w\s,:;()]+)/n)&.flatten
    aliases[[name, method]] << declared.(path, i + 1, name) if method
  end
end
aliased = ->(name, method) { aliases.fetch([name.b, method.b], []) }

sites = {}
consts = {}
skipped = Hash.new(0)
Dir[File.join(traces, '*.tsv')].each do |file|
  File.foreach(file, chomp: true) do |row|
    word, *rest = row.split("\t")
    if word == 'const'
      path, line, column, name, *decl = rest
      places = decl.each_slice(2).map { |p, l| [p, l.to_i, names[p][l.to_i][name].first&.first || 1] }
      key = [path, line.to_i, column.to_i, name]
      consts[key] = places if (consts[key] || []).empty?
      next
    end
    path, line, name, to, row, method = rest
    at = names[path][line.to_i][name.delete_suffix('=')] # "a.b = c" calls "b="
    at = names[path][line.to_i][name] if at.empty?
    at = names[path][line.to_i]['super'] if at.empty?
    next skipped[at.size > 1 ? 'several on the line' : 'not on the line'] += 1 if at.size != 1

    sites[[path, line.to_i, at[0][0], name]] ||= []
    next sites[[path, line.to_i, at[0][0], name]] |= aliased.(name, to) if to && !row
    next unless to

    sites[[path, line.to_i, at[0][0], name]] |= [declared.(to, row.to_i, method), *(name == method || name == 'new' ? [] : aliased.(name, method))]
  rescue Errno::ENOENT
    skipped['made by eval'] += 1
  end
end
warn skipped
form = lambda do |path, line, column|
  text = lines[path][line - 1]
  before = text[0, column - 1].to_s
  case before
  when /(&?\.|::)\s*\z/
    case before.sub(/(&?\.|::)\s*\z/, '')
    when /\bself\z/ then 'self.'
    when /(\A|[^\w:.@])(::)?[A-Z]\w*(::[A-Z]\w*)*\z/ then 'Const.'
    when /\A\s*\z/ then 'line.'
    when /@\w+\z/ then '@ivar.'
    when /(\A|[^\w.@])[a-z_]\w*\z/ then 'local.'
    when /\.\s*\w+[?!]?\z/ then 'chain.'
    when /[)\]}]\z/ then 'call().'
    else 'other.'
    end
  when /:\z/ then ':symbol'
  else text[column - 1..].start_with?('super') ? 'super' : 'bare'
  end
end
sites.each do |(path, line, column, name), decl|
  of = name.match?(/\A\W+\z/) ? 'operator' : form.(path, line, column)
  of += '=' if name.match?(/\w=\z/)
  puts [path, line, column, name, of, *(decl.empty? ? ['external'] : [*decl[0], of, *decl[1..].flatten])].join("\t")
end
consts.each do |(path, line, column, name), decl|
  puts [path, line, column, name, 'const', *(decl.empty? ? ['external'] : [*decl[0], 'const', *decl[1..].flatten])].join("\t")
end
