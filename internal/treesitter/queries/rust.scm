(line_comment) @comment
(block_comment) @comment
(ERROR) @error
(attribute_item) @attr

(function_item name: (_) @name body: (_) @body) @def.func
(function_signature_item name: (_) @name) @def.func
(struct_item name: (_) @name body: (_) @body) @def.struct
(struct_item name: (_) @name !body) @def.struct
(union_item name: (_) @name body: (_) @body) @def.union
(enum_item name: (_) @name body: (_) @body) @def.enum
(enum_variant name: (_) @name) @def.member
(trait_item name: (_) @name body: (_) @body) @def.trait
(type_item name: (_) @name) @def.type
(associated_type name: (_) @name) @def.type
(const_item name: (_) @name) @def.const
(static_item name: (_) @name) @def.var
(mod_item name: (_) @name body: (_) @body) @def.module
(macro_definition name: (_) @name . (macro_rule) @body) @def.macro
(impl_item type: (_) @name body: (_)) @scope.impl

; references
(call_expression function: (identifier) @ref.call)
(call_expression function: (scoped_identifier path: (_) @of name: (identifier) @ref.call))
(call_expression function: (field_expression value: (_) @of field: (field_identifier) @ref.call))
(call_expression function: (generic_function function: (identifier) @ref.call))
(call_expression function: (generic_function function: (scoped_identifier path: (_) @of name: (identifier) @ref.call)))
(call_expression function: (generic_function function: (field_expression value: (_) @of field: (field_identifier) @ref.call)))
(macro_invocation macro: (identifier) @ref.call)
(macro_invocation macro: (scoped_identifier path: (_) @of name: (identifier) @ref.call))
(struct_expression name: (type_identifier) @ref.call)
(use_declaration argument: (_) @ref.import)
(extern_crate_declaration name: (_) @ref.import)
(mod_item name: (_) @ref.import !body)
(impl_item trait: (type_identifier) @ref.extends)
(impl_item trait: (scoped_type_identifier path: (_) @of name: (type_identifier) @ref.extends))
(impl_item trait: (generic_type type: (type_identifier) @ref.extends))
(trait_item bounds: (trait_bounds (type_identifier) @ref.extends))
(type_identifier) @ref.type
