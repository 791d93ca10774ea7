(comment) @comment
(ERROR) @error
((unary_operator "@" operand: (call target: (identifier) @about)) @attr
  (#match? @about "^(doc|typedoc|spec|impl|deprecated|since|dialyzer|decorate|tag|shortdoc)$"))
((unary_operator "@" operand: (call target: (identifier) @about (arguments . [(string) (sigil)] @doc)))
  (#match? @about "^(doc|typedoc)$"))
((unary_operator "@" operand: (call target: (identifier) @about (arguments . [(string) (sigil)] @docstring)))
  (#match? @about "^moduledoc$"))

(unary_operator "@" operand: (call target: (identifier) @by.type (arguments . (identifier) @name .))) @def.type
(unary_operator "@" operand: (call target: (identifier) @by.type (arguments . (binary_operator left: (identifier) @name)))) @def.type
(unary_operator "@" operand: (call target: (identifier) @by.type (arguments . (binary_operator left: (call target: (identifier) @name))))) @def.type
(unary_operator "@" operand: (call target: (identifier) @by.callback (arguments . (binary_operator left: (call target: (identifier) @name))))) @def.func
(unary_operator "@" operand: (call target: (identifier) @by.callback (arguments . (binary_operator left: (binary_operator left: (call target: (identifier) @name)))))) @def.func
(call target: (identifier) @by.struct @name (arguments)) @def.struct
(call target: (identifier) @by.protocol (arguments . (alias) @name) (do_block) @body) @def.interface
(call target: (identifier) @by.module (arguments . (alias) @name) (do_block) @body) @def.module
(call target: (identifier) @by.def (arguments . (call target: (identifier) @name)) (do_block) @body) @def.func
(call target: (identifier) @by.def (arguments . (binary_operator left: (call target: (identifier) @name))) (do_block) @body) @def.func
(call target: (identifier) @by.def (arguments . (identifier) @name) (do_block) @body) @def.func
(call target: (identifier) @by.def (arguments . (call target: (identifier) @name) (keywords) @body)) @def.func
(call target: (identifier) @by.def (arguments . (binary_operator left: (call target: (identifier) @name)) (keywords) @body)) @def.func
(call target: (identifier) @by.def (arguments . (identifier) @name (keywords) @body)) @def.func
(call target: (identifier) @by.def (arguments . (call target: (identifier) @name) .)) @def.func
(call target: (identifier) @by.def (arguments . (binary_operator left: (call target: (identifier) @name)) .)) @def.func

; references
(call target: (identifier) @ref.call)
(call target: (dot left: (_) @of right: (identifier) @ref.call))
(alias) @ref.type
