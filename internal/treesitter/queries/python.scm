(comment) @comment
(ERROR) @error
(decorated_definition) @wrap
(decorator) @attr

(class_definition name: (identifier) @name body: (_) @body) @def.class
(function_definition name: (identifier) @name body: (_) @body) @def.func
(module (expression_statement (assignment left: (identifier) @name) @def.maybe))
(class_definition superclasses: (argument_list [(identifier) (attribute)] @by.enum)
  body: (block (expression_statement (assignment left: (identifier) @name) @def.const)))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @def.maybe)))
(type_alias_statement . (type (identifier) @name)) @def.type
(type_alias_statement . (type (generic_type . (identifier) @name))) @def.type

(module . (comment)* . (expression_statement . (string) @docstring))
(class_definition body: (block . (expression_statement . (string) @docstring)))
(function_definition body: (block . (expression_statement . (string) @docstring)))

; references
(call function: (identifier) @ref.call)
(call function: (attribute object: (_) @of attribute: (identifier) @ref.call))
(decorator (identifier) @ref.call)
(decorator (attribute object: (_) @of attribute: (identifier) @ref.call))
(class_definition superclasses: (argument_list (identifier) @ref.extends))
(class_definition superclasses: (argument_list (attribute object: (_) @of attribute: (identifier) @ref.extends)))
(class_definition superclasses: (argument_list (subscript value: (identifier) @ref.extends)))
(import_statement name: (dotted_name) @ref.import)
(import_statement name: (aliased_import name: (dotted_name) @ref.import))
(import_from_statement module_name: (_) @of name: (dotted_name) @ref.import)
(import_from_statement module_name: (_) @of name: (aliased_import name: (dotted_name) @ref.import))
(import_from_statement module_name: (_) @ref.import (wildcard_import))
(type (identifier) @ref.type)
(type (attribute object: (_) @of attribute: (identifier) @ref.type))
(type (generic_type (identifier) @ref.type))
(type (subscript value: (identifier) @ref.type))
(type (binary_operator (identifier) @ref.type))
