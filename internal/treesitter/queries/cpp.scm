(comment) @comment
(ERROR) @error
(template_declaration) @wrap

(namespace_definition name: (_) @name body: (_) @body) @def.namespace
(class_specifier name: (_) @name body: (_) @body) @def.class
(struct_specifier name: (_) @name body: (_) @body) @def.struct
(union_specifier name: (_) @name body: (_) @body) @def.union
(enum_specifier name: (_) @name body: (_) @body) @def.enum
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name) body: (_) @body) @def.func
(function_definition declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (destructor_name) (operator_name) (template_function)] @name) !body) @def.func
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name)) body: (_) @body) @def.func
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier)] @name))) body: (_) @body) @def.func
(function_definition declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name)) body: (_) @body) @def.func
(function_definition declarator: (pointer_declarator declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name))) body: (_) @body) @def.func
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name)] @name)))) body: (_) @body) @def.func
(function_definition declarator: (operator_cast "operator" @name type: (_) @name) body: (_) @body) @def.func
(function_definition declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) body: (_) @body) @def.func
(declaration declarator: (function_declarator declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name)] @name)) @def.proto
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (qualified_identifier)] @name))) @def.proto
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))) @def.proto
(declaration declarator: (operator_cast "operator" @name type: (_) @name)) @def.proto
(declaration declarator: (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)] @name))) @def.proto
(declaration declarator: (pointer_declarator declarator: (reference_declarator (function_declarator declarator: [(identifier) (qualified_identifier) (operator_name)] @name)))) @def.proto
(field_declaration declarator: (function_declarator declarator: [(field_identifier) (operator_name) (destructor_name)] @name)) @def.proto
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name))) @def.proto
(field_declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @name)))) @def.proto
(field_declaration declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name))) @def.proto
(field_declaration declarator: (pointer_declarator declarator: (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @name)))) @def.proto
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
(alias_declaration name: (_) @name) @def.type
(concept_definition name: (_) @name) @def.type
(enumerator name: (identifier) @name) @def.member
(declaration (type_qualifier ["const" "constexpr"]) declarator: (init_declarator declarator: (identifier) @name)) @def.const
(declaration (type_qualifier ["const" "constexpr"]) declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.const
(declaration declarator: (init_declarator declarator: (pointer_declarator (type_qualifier ["const" "constexpr"]) declarator: (identifier) @name))) @def.const
(field_declaration (storage_class_specifier "static") (type_qualifier ["const" "constexpr"]) declarator: (field_identifier) @name) @def.const
(declaration declarator: (init_declarator declarator: (identifier) @name)) @def.var
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @def.var
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @def.var
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @name)))) @def.var
(preproc_function_def name: (identifier) @name value: (_) @body) @def.macro
(preproc_def name: (identifier) @name value: (_)) @def.const
(preproc_def name: (identifier) @name !value) @def.flag
(preproc_function_def name: (identifier) @name !value) @def.flag

; references
(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression argument: (_) @of field: (field_identifier) @ref.call))
(call_expression function: (qualified_identifier scope: (_) @of name: (_) @ref.call))
(call_expression function: (template_function name: (identifier) @ref.call))
(new_expression type: (type_identifier) @ref.call)
(base_class_clause (type_identifier) @ref.extends)
(base_class_clause (qualified_identifier scope: (_) @of name: (type_identifier) @ref.extends))
(base_class_clause (template_type name: (type_identifier) @ref.extends))
(preproc_include path: (_) @ref.import)
(type_identifier) @ref.type
