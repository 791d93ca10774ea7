(comment) @comment
(ERROR) @error
(attribute_list) @attr
(namespace_declaration name: (_) @package)
(namespace_declaration body: (declaration_list (namespace_declaration name: (_) @name body: (_) @body) @def.namespace))
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (identifier) @name body: (_) @body) @def.class
(interface_declaration name: (identifier) @name body: (_) @body) @def.interface
(struct_declaration name: (identifier) @name body: (_) @body) @def.struct
(enum_declaration name: (identifier) @name body: (_) @body) @def.enum
(record_declaration name: (identifier) @name body: (_) @body) @def.record
(record_declaration name: (identifier) @name) @def.record
(delegate_declaration name: (identifier) @name) @def.type
(method_declaration name: (identifier) @name body: (_) @body) @def.func
(method_declaration name: (identifier) @name) @def.func
(constructor_declaration name: (identifier) @name body: (_) @body) @def.func
(destructor_declaration "~" @name name: (identifier) @name body: (_) @body) @def.func
(operator_declaration "operator" @name operator: _ @name body: (_) @body) @def.func
(conversion_operator_declaration "operator" @name type: (_) @name body: (_) @body) @def.func
(local_function_statement name: (identifier) @name body: (_) @body) @def.func
(property_declaration name: (identifier) @name accessors: (_) @body) @def.property
(property_declaration name: (identifier) @name value: (_) @body) @def.property
(indexer_declaration "this" @name accessors: (_) @body) @def.property
(indexer_declaration "this" @name value: (_) @body) @def.property
(event_declaration name: (identifier) @name accessors: (_) @body) @def.event
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @def.event
(enum_member_declaration name: (identifier) @name) @def.member
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (identifier) @name))) @def.const
(field_declaration (modifier "static") (modifier "readonly") (variable_declaration (variable_declarator name: (identifier) @name))) @def.const
(field_declaration (modifier ["public" "protected" "internal"]) (variable_declaration (variable_declarator name: (identifier) @name))) @def.field

; references
(invocation_expression function: (identifier) @ref.call)
(invocation_expression function: (generic_name (identifier) @ref.call))
(invocation_expression function: (member_access_expression expression: (_) @of name: (identifier) @ref.call))
(invocation_expression function: (member_access_expression expression: (_) @of name: (generic_name (identifier) @ref.call)))
(object_creation_expression type: (identifier) @ref.call)
(object_creation_expression type: (generic_name (identifier) @ref.call))
(using_directive [(identifier) (qualified_name)] @ref.import)
(base_list (identifier) @ref.extends)
(base_list (generic_name (identifier) @ref.extends))
(attribute name: (identifier) @ref.type)
(parameter type: (identifier) @ref.type)
(variable_declaration type: (identifier) @ref.type)
(method_declaration returns: (identifier) @ref.type)
(property_declaration type: (identifier) @ref.type)
(type_argument_list (identifier) @ref.type)
(generic_name (identifier) @ref.type)
