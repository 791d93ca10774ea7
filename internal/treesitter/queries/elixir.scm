(comment) @comment
(ERROR) @error
(unary_operator "@" operand: (call)) @attr

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
