(comment) @comment
(ERROR) @error

(function_definition declarator: (function_declarator declarator: (identifier) @name) body: (_) @body) @def.func
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)) body: (_) @body) @def.func
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) body: (_) @body) @def.func
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) body: (_) @body) @def.func
(declaration declarator: (function_declarator declarator: (identifier) @name)) @def.proto
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))) @def.proto
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @def.proto
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.union
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @def.enum
(type_definition declarator: (type_identifier) @name) @def.type
(type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @def.type
(type_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))) @def.type
(type_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name))))) @def.type
(type_definition declarator: (function_declarator declarator: (type_identifier) @name)) @def.type
(type_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (type_identifier) @name))) @def.type
(type_definition declarator: (array_declarator declarator: (type_identifier) @name)) @def.type
(struct_specifier name: (type_identifier) @name body: (_) @body) @def.struct
(union_specifier name: (type_identifier) @name body: (_) @body) @def.union
(enum_specifier name: (type_identifier) @name body: (_) @body) @def.enum
(enumerator name: (identifier) @name) @def.member
(declaration (type_qualifier ["const" "constexpr"]) declarator: (init_declarator declarator: (identifier) @name)) @def.const
(declaration (type_qualifier ["const" "constexpr"]) declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.const
(declaration declarator: (init_declarator declarator: (pointer_declarator (type_qualifier ["const" "constexpr"]) declarator: (identifier) @name))) @def.const
(declaration declarator: (init_declarator declarator: (identifier) @name)) @def.var
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @def.var
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.var
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @def.var
(declaration . type: (_) declarator: (identifier) @name) @def.var
(declaration . type: (_) declarator: (pointer_declarator declarator: (identifier) @name)) @def.var
(declaration . type: (_) declarator: (array_declarator declarator: (identifier) @name)) @def.var
(declaration . type: (_) declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.var
(declaration . (storage_class_specifier "static") declarator: (identifier) @name) @def.var
(declaration . (storage_class_specifier "static") declarator: (pointer_declarator declarator: (identifier) @name)) @def.var
(declaration . (storage_class_specifier "static") declarator: (array_declarator declarator: (identifier) @name)) @def.var
(declaration . (storage_class_specifier "static") declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.var
(preproc_function_def name: (identifier) @name value: (_) @body) @def.macro
(preproc_def name: (identifier) @name value: (_)) @def.const
(preproc_def name: (identifier) @name !value) @def.flag
(preproc_function_def name: (identifier) @name !value) @def.flag

; references
(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression argument: (_) @of field: (field_identifier) @ref.call))
(preproc_include path: (_) @ref.import)
(type_identifier) @ref.type
