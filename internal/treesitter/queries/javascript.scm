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

(class_declaration name: (_) @name body: (_) @body) @def.class
(field_definition property: (_) @name value: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]) @def.method
(field_definition "static" property: (_) @name) @def.static

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
(variable_declarator name: (identifier) @name value: (assignment_expression right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)])) @def.closure
(variable_declarator name: (identifier) @name value: (assignment_expression right: (assignment_expression right: [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]))) @def.closure
(variable_declarator name: (identifier) @name value: (call_expression arguments: (arguments . [
  (arrow_function body: (_) @body)
  (function_expression body: (_) @body)]))) @def.made
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (object) @body) @def.const))
(program (variable_declaration (variable_declarator name: (identifier) @name value: (object) @body) @def.const))
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: (object) @body) @def.const)))
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
  (ternary_expression) (assignment_expression)
  (member_expression object: [(identifier) (member_expression)])]) @def.const))
(program (variable_declaration (variable_declarator name: (identifier) @name value: [
  (number) (string) (template_string) (regex) (array) (true) (false) (null) (unary_expression) (binary_expression)
  (ternary_expression) (assignment_expression)
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
(pair key: [(property_identifier) (string)] @name value: (object)) @scope.object
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
(class_heritage (identifier) @ref.extends)
(class_heritage (member_expression object: (_) @of property: (property_identifier) @ref.extends))
(jsx_opening_element name: (identifier) @ref.call)
(jsx_self_closing_element name: (identifier) @ref.call)
