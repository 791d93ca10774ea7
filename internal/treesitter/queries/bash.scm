(comment) @comment
(ERROR) @error

(function_definition name: (word) @name body: (_) @body) @def.func
(program (declaration_command (variable_assignment name: (variable_name) @name)) @def.maybe)
(program (variable_assignment name: (variable_name) @name) @def.maybe)

; references
(command name: (command_name (word) @ref.call))
(command name: (command_name (word) @of) . argument: (_) @ref.require)
