(comment) @comment
(multiline_comment) @comment
(ERROR) @error
(modifiers (attribute) @attr)

(class_declaration declaration_kind: "class" name: (_) @name body: (_) @body) @def.class
(class_declaration declaration_kind: "actor" name: (_) @name body: (_) @body) @def.class
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @def.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @def.enum
(class_declaration declaration_kind: "extension" name: (_) @name body: (_)) @scope.extension
(protocol_declaration name: (_) @name body: (_) @body) @def.protocol
(function_declaration name: [(simple_identifier) (custom_operator) (bang)] @name) @def.func
(function_declaration name: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "!" "~" "&" "|" "^" "<<" ">>"] @name) @def.func
(protocol_function_declaration name: [(simple_identifier) (custom_operator) (bang)] @name) @def.func
(protocol_function_declaration name: ["==" "!=" "===" "!==" "<" ">" "<=" ">=" "+" "-" "*" "/" "%" "+=" "-=" "*=" "/=" "%=" "!" "~" "&" "|" "^" "<<" ">>"] @name) @def.func
(init_declaration "init" @name body: (_) @body) @def.func
(init_declaration "init" @name) @def.func
(deinit_declaration "deinit" @name body: (_) @body) @def.func
(subscript_declaration "subscript" @name) @def.func
; those of types and files: others are variables
([(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @def.property)
  (enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @def.property)
  (source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @def.property)
  (ERROR (property_declaration name: (pattern bound_identifier: (simple_identifier) @name) computed_value: (_) @body) @def.property)])
([(class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property)
  (enum_class_body (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property)
  (source_file (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property)
  (ERROR (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property)])
([(class_body (property_declaration name: (pattern (pattern (simple_identifier) @name))) @def.property)
  (source_file (property_declaration name: (pattern (pattern (simple_identifier) @name))) @def.property)])
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @def.property
(enum_entry name: (simple_identifier) @name) @def.member
(typealias_declaration . (modifiers)? . name: (type_identifier) @name) @def.type
(associatedtype_declaration name: (type_identifier) @name) @def.type

; references
(call_expression . (simple_identifier) @ref.call)
(call_expression . (navigation_expression target: (_) @of suffix: (navigation_suffix suffix: (simple_identifier) @ref.call)))
((navigation_expression target: (simple_identifier) @of suffix: (navigation_suffix suffix: (simple_identifier) @ref.read)) (#match? @of "^[A-Z]"))
((navigation_expression target: (simple_identifier) @ref.type suffix: (navigation_suffix suffix: (simple_identifier))) (#match? @ref.type "^[A-Z]"))
(import_declaration (identifier) @ref.import)
(inheritance_specifier inherits_from: (user_type (type_identifier) @ref.extends))
(user_type (type_identifier) @ref.type)
