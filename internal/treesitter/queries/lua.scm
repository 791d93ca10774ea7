(comment) @comment
(emmy_documentation) @comment
(ERROR) @error

(function_statement name: (_) @name (function_body) @body) @def.func
(function_statement name: (_) @name) @def.func
(variable_declaration name: (variable_declarator) @name value: (function (function_body) @body)) @def.func
(variable_declaration name: (variable_declarator) @name value: (function)) @def.func
((program (variable_declaration name: (variable_declarator) @name value: (tableconstructor) @body) @def.maybe)
  (#match? @name "^[^A-Za-z_]*[A-Za-z][A-Za-z0-9_.]*[.][A-Za-z][A-Za-z0-9_]*$"))
(variable_declaration name: (variable_declarator) @name value: (tableconstructor) @body) @def.upper
(field name: (identifier) @name value: (tableconstructor)) @scope.object
(field name: (identifier) @name value: (function (function_body) @body)) @def.entry
(field name: (identifier) @name value: (function)) @def.entry
((program (variable_declaration name: (variable_declarator) @name) @def.maybe)
  (#match? @name "^[^A-Za-z_]*[A-Za-z][A-Za-z0-9_.]*[.][A-Za-z][A-Za-z0-9_]*$"))
(program (variable_declaration name: (variable_declarator) @name) @def.upper)

; references
(function_call . prefix: (identifier) @ref.call . (function_call_paren))
(function_call prefix: (identifier) @of prefix: (identifier) @ref.call . (function_call_paren))
(function_call prefix: (identifier) @of args: (function_arguments . (string) @ref.require))
(function_call prefix: (identifier) @of args: (string_argument) @ref.require)
