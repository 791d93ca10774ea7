(comment) @comment
(ERROR) @error
(attribute_list) @attr
(namespace_definition name: (_) @package)

(class_declaration name: (name) @name body: (_) @body) @def.class
(interface_declaration name: (name) @name body: (_) @body) @def.interface
(trait_declaration name: (name) @name body: (_) @body) @def.trait
(enum_declaration name: (name) @name body: (_) @body) @def.enum
(function_definition name: (name) @name body: (_) @body) @def.func
(method_declaration name: (name) @name body: (_) @body) @def.func
(method_declaration name: (name) @name) @def.func
(const_declaration (const_element (name) @name)) @def.const
(enum_case name: (name) @name) @def.member
(property_declaration (property_element (variable_name (name) @name) (property_initializer (array_creation_expression) @body))) @def.property
(property_declaration (property_element (variable_name (name) @name))) @def.property
(property_promotion_parameter name: (variable_name (name) @name)) @def.promoted
(function_call_expression function: (name) @by.define
  arguments: (arguments . (argument [(string (string_content) @name) (encapsed_string . (string_content) @name .)]))) @def.const

; references
(function_call_expression function: (name) @ref.call)
(function_call_expression function: (qualified_name (name) @ref.call))
(member_call_expression object: (_) @of name: (name) @ref.call)
(nullsafe_member_call_expression object: (_) @of name: (name) @ref.call)
(scoped_call_expression scope: (_) @of name: (name) @ref.call)
(object_creation_expression [(name) (qualified_name)] @ref.call)
(namespace_use_clause [(name) (qualified_name)] @ref.import)
(base_clause [(name) (qualified_name)] @ref.extends)
(class_interface_clause [(name) (qualified_name)] @ref.extends)
(use_declaration [(name) (qualified_name)] @ref.extends)
(named_type [(name) (qualified_name)] @ref.type)
