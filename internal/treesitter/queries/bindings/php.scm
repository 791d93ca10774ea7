; scopes and locals
(program) @scope.function
[(function_definition) (method_declaration)] @scope.closed
(anonymous_function_creation_expression) @scope.closed
(arrow_function) @scope.function
[(class_declaration) (interface_declaration) (trait_declaration) (enum_declaration)] @scope.class
(object_creation_expression (declaration_list)) @scope.class

(simple_parameter type: (_) @type name: (variable_name) @definition.parameter)
(simple_parameter !type name: (variable_name) @definition.parameter)
(variadic_parameter name: (variable_name) @definition.parameter)
(property_promotion_parameter type: (_) @type name: (variable_name) @definition.parameter)
(property_promotion_parameter !type name: (variable_name) @definition.parameter)
(anonymous_function_use_clause (variable_name) @definition.assigned)
(assignment_expression left: (variable_name) @definition.assigned right: (_) @value)
(augmented_assignment_expression left: (variable_name) @definition.assigned)
(list_literal (variable_name) @definition.assigned)
(foreach_statement . (_) @element . (variable_name) @definition.assigned)
(foreach_statement . (_) @element . (pair (variable_name) (variable_name) @definition.assigned))
(foreach_statement . (_) . (pair . (variable_name) @definition.assigned))
(catch_clause type: (type_list . (_) @type .) name: (variable_name) @definition.assigned)
(catch_clause name: (variable_name) @definition.assigned)
(static_variable_declaration name: (variable_name) @definition.assigned)
(global_declaration (variable_name) @definition.assigned)

; declarations
(class_declaration name: (name) @name body: (declaration_list (use_declaration [(name) (qualified_name)] @extends))) @definition.class
(class_declaration name: (name) @name (base_clause (_) @extends)) @definition.class
(class_declaration name: (name) @name (class_interface_clause (_) @implements)) @definition.class
(class_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name (base_clause (_) @extends)) @definition.interface
(interface_declaration name: (name) @name) @definition.interface
(trait_declaration name: (name) @name body: (declaration_list (use_declaration [(name) (qualified_name)] @extends))) @definition.trait
(trait_declaration name: (name) @name) @definition.trait
(enum_declaration name: (name) @name body: (_ (use_declaration [(name) (qualified_name)] @extends))) @definition.enum
(enum_declaration name: (name) @name (class_interface_clause (_) @implements)) @definition.enum
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.const
(function_definition name: (name) @name return_type: (_) @returns) @definition.func
(function_definition name: (name) @name) @definition.func
(method_declaration name: (name) @name return_type: (_) @returns) @definition.method
(method_declaration name: (name) @name) @definition.method
(const_declaration (const_element . (name) @name . (_) @value)) @definition.const
(property_declaration type: (_) @type (property_element (variable_name (name) @name))) @definition.property
(property_declaration !type (property_element (variable_name (name) @name) (property_initializer (_) @value))) @definition.property
(property_declaration (property_element (variable_name (name) @name))) @definition.property
(property_promotion_parameter type: (_) @type name: (variable_name (name) @name)) @definition.property
(assignment_expression left: (member_access_expression object: (variable_name) name: (name) @property) right: (object_creation_expression) @value)

; imports
(namespace_use_declaration (namespace_use_clause [(name) (qualified_name)] @path (namespace_aliasing_clause (name) @alias)) @import)
(namespace_use_declaration (namespace_use_clause [(name) (qualified_name)] @path) @import)
(namespace_use_declaration (namespace_name) @group (namespace_use_group (namespace_use_group_clause (namespace_name) @path (namespace_aliasing_clause (name) @alias)) @import))
(namespace_use_declaration (namespace_name) @group (namespace_use_group (namespace_use_group_clause (namespace_name) @path) @import))

; expressions
((variable_name) @value.self (#match? @value.self "^[$]this$"))
(variable_name) @value.name
((relative_scope) @value.super (#match? @value.super "^parent$"))
(relative_scope) @value.self
(member_access_expression object: (_) @object name: (name) @name) @value.member
(nullsafe_member_access_expression object: (_) @object name: (name) @name) @value.member
(scoped_property_access_expression scope: (_) @object name: (variable_name (name) @name)) @value.member
((class_constant_access_expression . [(name) (qualified_name)] @type . (name) @inner) @value.type (#match? @inner "^class$"))
(class_constant_access_expression . (_) @object . (name) @name) @value.member
(member_call_expression object: (_) @object name: (name) @name) @value.call
(nullsafe_member_call_expression object: (_) @object name: (name) @name) @value.call
(scoped_call_expression scope: (_) @object name: (name) @name) @value.call
(function_call_expression function: (_) @function) @value.call
((object_creation_expression [(name) (qualified_name)] @inner) @value.new (#match? @inner "^(self|static)$"))
(object_creation_expression [(name) (qualified_name)] @type) @value.new
(parenthesized_expression (_) @inner) @value.same
(clone_expression (_) @inner) @value.same
(assignment_expression right: (_) @inner) @value.same
(conditional_expression body: (_) @inner alternative: (_) @inner) @value.either
(conditional_expression condition: (_) @inner !body alternative: (_) @inner) @value.either
(binary_expression left: (_) @inner "??" right: (_) @inner) @value.either
(match_expression body: (match_block [(match_conditional_expression return_expression: (_) @inner) (match_default_expression return_expression: (_) @inner)])) @value.either
(subscript_expression . (_) @inner) @value.element
[(string) (encapsed_string) (integer) (float) (boolean) (null) (array_creation_expression) (heredoc) (nowdoc) (cast_expression)] @value.literal

((name) @type.self (#match? @type.self "^(self|static)$"))
((name) @type.super (#match? @type.super "^parent$"))
(name) @type.name
(qualified_name) @type.path
(named_type (_) @inner) @type.same
(optional_type (_) @inner) @type.same
(primitive_type) @type.builtin

; references
(namespace_use_clause [(name) @reference.import (qualified_name (name) @reference.import)])
(namespace_use_group_clause (namespace_name (name) @reference.import .))
[(namespace_definition) (namespace_use_declaration)] @reference.none
(member_call_expression object: (_) @of name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @of name: (name) @reference.call)
(scoped_call_expression scope: (_) @of name: (name) @reference.call)
(assignment_expression left: (member_access_expression object: (_) @of name: (name) @reference.write))
(member_access_expression object: (_) @of name: (name) @reference.read)
(nullsafe_member_access_expression object: (_) @of name: (name) @reference.read)
(scoped_property_access_expression scope: (_) @of name: (variable_name (name) @reference.read))
([(use_as_clause (class_constant_access_expression . (_) @of . (name) @reference.call)) (use_instead_of_clause (class_constant_access_expression . (_) @of . (name) @reference.call))])
(use_as_clause . (name) @reference.adapted)
(use_instead_of_clause (class_constant_access_expression) (name) @reference.type)
(class_constant_access_expression . (_) . (name) @reference.none (#match? @reference.none "^class$"))
(class_constant_access_expression . (_) @of . (name) @reference.read)
(function_call_expression function: [(name) (qualified_name)] @reference.call)
((name) @reference.none (#match? @reference.none "^(self|static|parent)$"))
(object_creation_expression [(name) (qualified_name)] @reference.call)
(base_clause [(name) (qualified_name)] @reference.extends)
(class_interface_clause [(name) (qualified_name)] @reference.implements)
(use_declaration [(name) (qualified_name)] @reference.extends)
(named_type [(name) (qualified_name)] @reference.type)
(scoped_call_expression scope: [(name) (qualified_name)] @reference.type)
(scoped_property_access_expression scope: [(name) (qualified_name)] @reference.type)
(class_constant_access_expression . [(name) (qualified_name)] @reference.type)
(binary_expression "instanceof" right: [(name) (qualified_name)] @reference.type)
(attribute [(name) (qualified_name)] @reference.type)
(argument name: (name) @reference.named)
(echo_statement [(name) (qualified_name)] @reference.read)
(argument [(name) (qualified_name)] @reference.read)
(binary_expression [(name) (qualified_name)] @reference.read)
(return_statement [(name) (qualified_name)] @reference.read)
(array_element_initializer [(name) (qualified_name)] @reference.read)
(assignment_expression right: [(name) (qualified_name)] @reference.read)
