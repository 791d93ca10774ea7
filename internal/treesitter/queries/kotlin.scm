(line_comment) @comment
(multiline_comment) @comment
(ERROR) @error
(modifiers (annotation) @attr)
(package_header (identifier) @package)

(class_declaration "interface" (type_identifier) @name (class_body) @body) @def.interface
(class_declaration "interface" (type_identifier) @name) @def.interface
(class_declaration "enum" (type_identifier) @name (enum_class_body) @body) @def.enum
(class_declaration "class" (type_identifier) @name (class_body) @body) @def.class
(class_declaration "class" (type_identifier) @name) @def.class
(object_declaration (type_identifier) @name (class_body) @body) @def.object
(object_declaration (type_identifier) @name) @def.object
(companion_object (type_identifier) @name) @def.object
(companion_object) @scope.object
(function_declaration . (modifiers)? . (type_parameters)? . (user_type) @of (simple_identifier) @name (function_body) @body) @def.func
(function_declaration . (modifiers)? . (type_parameters)? . (nullable_type (user_type) @of) (simple_identifier) @name (function_body) @body) @def.func
(function_declaration (simple_identifier) @name (function_body) @body) @def.func
(function_declaration (simple_identifier) @name) @def.func
(secondary_constructor "constructor" @name (_) @body .) @def.func
(enum_entry (simple_identifier) @name (class_body) @body) @def.member
(enum_entry (simple_identifier) @name) @def.member
(primary_constructor (class_parameter (binding_pattern_kind) . (simple_identifier) @name) @def.property)
(property_declaration (user_type) @of (variable_declaration (simple_identifier) @name)) @def.property
(property_declaration (nullable_type (user_type) @of) (variable_declaration (simple_identifier) @name)) @def.property
(property_declaration (variable_declaration (simple_identifier) @name)) @def.property
((property_declaration (variable_declaration (simple_identifier) @name)) @def.property . [(getter) (setter)] @tail)
((property_declaration (variable_declaration (simple_identifier) @name)) @def.property . [(getter) (setter)] . [(getter) (setter)] @tail)
(property_declaration (multi_variable_declaration (variable_declaration (simple_identifier) @name))) @def.property
(type_alias (type_identifier) @name) @def.type

; references
(call_expression (simple_identifier) @ref.call)
(call_expression (navigation_expression (_) @of (navigation_suffix (simple_identifier) @ref.call)))
(import_header (identifier) @ref.import)
(delegation_specifier (user_type (type_identifier) @ref.extends))
(delegation_specifier (constructor_invocation (user_type (type_identifier) @ref.extends)))
(user_type (type_identifier) @ref.type)
