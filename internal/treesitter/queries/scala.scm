(comment) @comment
(block_comment) @comment
(ERROR) @error
(annotation) @attr
(package_clause name: (_) @package)

(package_object name: (_) @name body: (_) @body) @def.object
(class_definition name: (_) @name body: (_) @body) @def.class
(class_definition name: (_) @name) @def.class
(object_definition name: (_) @name body: (_) @body) @def.object
(object_definition name: (_) @name) @def.object
(trait_definition name: (_) @name body: (_) @body) @def.trait
(trait_definition name: (_) @name) @def.trait
(enum_definition name: (_) @name body: (_) @body) @def.enum
(simple_enum_case name: (_) @name) @def.member
(full_enum_case name: (_) @name) @def.member
(function_definition name: (_) @name body: (_) @body) @def.func
(function_declaration name: (_) @name) @def.func
(val_definition pattern: (identifier) @name value: (_) @body) @def.property
(var_definition pattern: (identifier) @name value: (_) @body) @def.property
(val_definition pattern: (identifiers (identifier) @name) value: (_) @body) @def.property
(var_definition pattern: (identifiers (identifier) @name) value: (_) @body) @def.property
(val_declaration name: (_) @name) @def.property
(var_declaration name: (_) @name) @def.property
(class_parameter ["val" "var"] name: (_) @name) @def.property
(class_definition "case" class_parameters: (class_parameters (class_parameter name: (_) @name) @def.property))
(type_definition name: (_) @name) @def.type
(given_definition name: (_) @name) @def.const

; references
(call_expression function: (identifier) @ref.call)
(call_expression function: (field_expression value: (_) @of field: (identifier) @ref.call))
(instance_expression (type_identifier) @ref.call)
(import_declaration) @ref.import
(extends_clause type: (type_identifier) @ref.extends)
(extends_clause type: (generic_type type: (type_identifier) @ref.extends))
(type_identifier) @ref.type
