(comment) @comment
(ERROR) @error
(decorator) @attr
(export_statement) @export
(lexical_declaration) @wrap
(variable_declaration) @wrap
(export_specifier name: (identifier) @exported !alias)
(assignment_expression
  left: (member_expression object: (identifier) property: (property_identifier))
  right: (object (shorthand_property_identifier) @exported))
(assignment_expression
  left: (member_expression object: (identifier) property: (property_identifier))
  right: (identifier) @exported)
(export_statement value: (identifier) @exported)
(export_statement value: (object (shorthand_property_identifier) @exported))
(ambient_declaration) @wrap

(class_declaration name: (_) @name body: (_) @body) @def.class
(abstract_class_declaration name: (_) @name body: (_) @body) @def.class
(interface_declaration name: (_) @name body: (_) @body) @def.interface
(enum_declaration name: (_) @name body: (_) @body) @def.enum
(type_alias_declaration name: (_) @name) @def.type
(internal_module name: (_) @name body: (_) @body) @def.namespace
(module name: (_) @name body: (_) @body) @def.namespace
(function_signature name: (identifier) @name) @def.func
(method_signature name: (_) @name) @def.method
(abstract_method_signature name: (_) @name) @def.method
(interface_body (property_signature name: (_) @name) @def.property)
(enum_body [(property_identifier) (string)] @name @def.member)
(enum_body (enum_assignment name: (_) @name) @def.member)
(public_field_definition name: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.method
(public_field_definition "static" "readonly" name: (_) @name) @def.const
(public_field_definition "static" name: (_) @name) @def.static

(function_declaration name: (identifier) @name body: (_) @body) @def.func
(generator_function_declaration name: (identifier) @name body: (_) @body) @def.func
(method_definition name: (_) @name body: (_) @body) @def.method
(export_statement value: (function_expression !name body: (_) @body) @def.func)
(export_statement value: (arrow_function body: (_) @body) @def.func)
(export_statement value: (class !name body: (_) @body) @def.class)
(export_statement value: (object) @body @def.const)
(class name: (_) @name body: (_) @body) @def.class
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @def.class
(variable_declarator name: (identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)
  (generator_function body: (_) @body)]) @def.closure
(variable_declarator name: (identifier) @name value: (call_expression arguments: (arguments . [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]))) @def.made
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (object) @body) @def.const))
(program (variable_declaration (variable_declarator name: (identifier) @name value: (object) @body) @def.const))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: (object) @body) @def.const)))
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [
  (as_expression . (object) @body)
  (satisfies_expression . (object) @body)]) @def.const))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: [
  (as_expression . (object) @body)
  (satisfies_expression . (object) @body)]) @def.const)))
(internal_module body: (statement_block (export_statement declaration: (_ (variable_declarator name: (identifier) @name) @def.maybe))))
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [
  (call_expression function: (_) @by.import)
  (await_expression (call_expression function: (_) @by.import))
  (new_expression)]) @def.made))
(program (variable_declaration (variable_declarator name: (identifier) @name value: [
  (call_expression function: (_) @by.import)
  (await_expression (call_expression function: (_) @by.import))
  (new_expression)]) @def.made))
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [
  (number) (string) (template_string) (regex) (array) (true) (false) (null) (unary_expression) (binary_expression)
  (ternary_expression) (assignment_expression) (as_expression)
  (member_expression object: [(identifier) (member_expression)])]) @def.const))
(program (variable_declaration (variable_declarator name: (identifier) @name value: [
  (number) (string) (template_string) (regex) (array) (true) (false) (null) (unary_expression) (binary_expression)
  (ternary_expression) (assignment_expression) (as_expression)
  (member_expression object: [(identifier) (member_expression)])]) @def.const))
(program (lexical_declaration (variable_declarator name: (identifier) @name) @def.maybe))
(program (export_statement declaration: (_ (variable_declarator name: (identifier) @name) @def.maybe)))
(variable_declarator value: (object (pair key: (property_identifier) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.method))
(variable_declarator value: (object (pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.entry))
(pair value: (object (pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.entry))
(assignment_expression right: (object (pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.entry))
(export_statement value: (object (pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.entry))
(as_expression (object (pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.entry))
(satisfies_expression (object (pair key: [(property_identifier) (string)] @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.entry))
(pair key: [(property_identifier) (string)] @name value: [(object) (as_expression (object)) (satisfies_expression (object))]) @scope.object
(assignment_expression left: (member_expression) @name right: (object)) @scope.object
(assignment_expression left: (member_expression object: (identifier) property: (property_identifier)) @name right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.closure
(assignment_expression left: (member_expression object: (member_expression property: (property_identifier)) property: (property_identifier)) @name right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.closure
(assignment_expression left: (member_expression) @name right: (class body: (_) @body)) @def.class

; references
(call_expression function: (identifier) @ref.call)
(call_expression function: (member_expression object: (_) @of property: [(property_identifier) (private_property_identifier)] @ref.call))
(new_expression constructor: (identifier) @ref.call)
(new_expression constructor: (member_expression object: (_) @of property: (property_identifier) @ref.call))
(decorator (identifier) @ref.call)
(decorator (call_expression function: (identifier) @ref.call))
(import_statement source: (string) @ref.import)
(export_statement source: (string) @ref.import)
(import_statement (import_clause (identifier) @ref.import) source: (string) @of)
(import_statement (import_clause (named_imports (import_specifier name: (identifier) @ref.import))) source: (string) @of)
(call_expression function: (identifier) @of arguments: (arguments . (string) @ref.require))
(call_expression function: (import) arguments: (arguments . (string) @ref.import))
(extends_clause value: (identifier) @ref.extends)
(extends_clause value: (member_expression object: (_) @of property: (property_identifier) @ref.extends))
(implements_clause (type_identifier) @ref.extends)
(implements_clause (generic_type name: (type_identifier) @ref.extends))
(extends_type_clause type: (type_identifier) @ref.extends)
(extends_type_clause type: (generic_type name: (type_identifier) @ref.extends))
(type_identifier) @ref.type
