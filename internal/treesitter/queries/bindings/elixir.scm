; scopes and locals
(source) @scope.function
((call target: (identifier) @def (arguments . [(call) (binary_operator) (identifier)])) @scope.closed (#match? @def "^def(p|macro|macrop|guard|guardp|delegate)?$"))
((call target: (identifier) @def (arguments . (alias))) @scope.class (#match? @def "^def(module|protocol|impl)$"))
(stab_clause) @scope.block
((call target: (identifier) @for) @scope.block (#match? @for "^(for|with)$"))

((call target: (identifier) @def (arguments . (call (arguments) @definition.pattern))) (#match? @def "^def(p|macro|macrop|guard|guardp|delegate)?$"))
((call target: (identifier) @def (arguments . (binary_operator left: (call (arguments) @definition.pattern)))) (#match? @def "^def(p|macro|macrop|guard|guardp|delegate)?$"))
(stab_clause left: (arguments) @definition.pattern)
(stab_clause left: (binary_operator left: (arguments) @definition.pattern))
(binary_operator left: (_) @definition.pattern "=")
(binary_operator left: (_) @definition.pattern "<-")

; declarations
((call target: (identifier) @def (arguments . (alias) @name)) @definition.module (#match? @def "^def(module|protocol|impl)$"))
((call target: (identifier) @def @clause (arguments . (call target: (identifier) @name (arguments) @parameters))) @definition.func (#match? @def "^def(p|macro|macrop|guard|guardp|delegate)?$"))
((call target: (identifier) @def @clause (arguments . (binary_operator left: (call target: (identifier) @name (arguments) @parameters) "when"))) @definition.func (#match? @def "^def(p|macro|macrop|guard|guardp|delegate)?$"))
((call target: (identifier) @def @clause (arguments . (identifier) @name)) @definition.func (#match? @def "^def(p|macro|macrop|guard|guardp|delegate)?$"))

; imports
((call target: (identifier) @alias.word (arguments . (alias) @path (keywords (pair value: (alias) @alias)))) @import (#match? @alias.word "^(alias|require)$"))
((call target: (identifier) @alias.word (arguments . (alias) @path)) @import (#match? @alias.word "^alias$"))
((call target: (identifier) @alias.word (arguments . (dot left: (alias) @group right: (tuple (alias) @path @import)))) (#match? @alias.word "^alias$"))
((call target: (identifier) @alias.word (arguments . (identifier) @path (keywords (pair value: (alias) @alias)))) @import (#match? @alias.word "^alias$") (#match? @path "^__MODULE__$"))
((call target: (identifier) @alias.word (arguments . (identifier) @path)) @import (#match? @alias.word "^alias$") (#match? @path "^__MODULE__$"))
((call target: (identifier) @alias.word (arguments . (dot left: (identifier) right: (alias)) @path)) @import (#match? @alias.word "^alias$") (#match? @path "^__MODULE__"))
((call target: (identifier) @alias.word (arguments . (dot left: (identifier) @group right: (tuple (alias) @path @import)))) (#match? @alias.word "^alias$") (#match? @group "^__MODULE__$"))
((call target: (identifier) @all (arguments . (alias) @path)) @import (#match? @all "^(import|use)$"))

; expressions
((identifier) @value.self (#match? @value.self "^__MODULE__$"))
(identifier) @value.called
(alias) @value.whole
(alias) @type.whole
(call target: (dot left: (_) @object right: (identifier) @name)) @value.call
(call target: (identifier) @function) @value.call
[(string) (integer) (float) (atom) (boolean) (nil) (list) (tuple) (map) (charlist) (sigil)] @value.literal

; references
((identifier) @reference.none (#match? @reference.none "^(__.*__|_.*)$"))
((call target: (identifier) @def (arguments . (alias) @reference.none)) (#match? @def "^def(module|protocol)$"))
((call target: (identifier) @alias.word (arguments (keywords (pair value: (alias) @reference.none)))) (#match? @alias.word "^(alias|require)$"))
(unary_operator "@" operand: [(identifier) @reference.none (call target: (identifier) @reference.none)])
(unary_operator "@" operand: (call (arguments (binary_operator left: (call target: (identifier) @reference.none)))))
((call target: (identifier) @reference.none) (#match? @reference.none "^(def.*|alias|import|use|require|quote|unquote|case|cond|if|unless|for|with|fn|try|receive|raise|is_[a-z]+)$"))
(binary_operator left: (_) @argument "|>" right: (call target: (identifier) @reference.call (arguments) @arguments))
(binary_operator left: (_) @argument "|>" right: (call target: (dot left: (alias) @of right: (identifier) @reference.call) (arguments) @arguments))
(binary_operator left: (call target: (dot left: (alias) @of right: (identifier) @reference.call)) "/" right: (integer))
(call target: (dot left: (alias) @of right: (identifier) @reference.call) (arguments) @arguments)
(call target: (dot left: (alias) @of right: (identifier) @reference.call))
((call target: (dot left: (identifier) @of right: (identifier) @reference.call) (arguments) @arguments) (#match? @of "^__MODULE__$"))
((call target: (dot left: (identifier) @of right: (identifier) @reference.call)) (#match? @of "^__MODULE__$"))
(dot right: (identifier) @reference.none)
(call target: (identifier) @reference.call (arguments) @arguments)
(alias) @reference.type
(identifier) @reference.call
