(line_comment) @comment
(block_comment) @comment
(ERROR) @error
(modifiers [(annotation) (marker_annotation)] @attr)
(package_declaration [(scoped_identifier) (identifier)] @package)

(class_declaration name: (identifier) @name body: (_) @body) @def.class
(interface_declaration name: (identifier) @name body: (_) @body) @def.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @def.interface
(enum_declaration name: (identifier) @name body: (_) @body) @def.enum
(record_declaration name: (identifier) @name body: (_) @body) @def.record
(method_declaration name: (identifier) @name body: (_) @body) @def.func
(method_declaration name: (identifier) @name) @def.func
(constructor_declaration name: (identifier) @name body: (_) @body) @def.func
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @def.func
(annotation_type_element_declaration name: (identifier) @name) @def.func
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @def.maybe
(enum_constant name: (identifier) @name body: (_) @body) @def.member
(enum_constant name: (identifier) @name) @def.member
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @def.const

; references
(method_invocation !object name: (identifier) @ref.call)
(method_invocation object: (_) @of name: (identifier) @ref.call)
(object_creation_expression type: (type_identifier) @ref.call)
(object_creation_expression type: (generic_type (type_identifier) @ref.call))
(method_reference . (_) @of (identifier) @ref.call .)
(marker_annotation name: (identifier) @ref.type)
(annotation name: (identifier) @ref.type)
(import_declaration (scoped_identifier) @ref.import)
(superclass (type_identifier) @ref.extends)
(superclass (generic_type . (type_identifier) @ref.extends))
(super_interfaces (type_list (type_identifier) @ref.extends))
(super_interfaces (type_list (generic_type . (type_identifier) @ref.extends)))
(extends_interfaces (type_list (type_identifier) @ref.extends))
(extends_interfaces (type_list (generic_type . (type_identifier) @ref.extends)))
(type_identifier) @ref.type
