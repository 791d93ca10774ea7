(comment) @comment
(ERROR) @error

(class name: (_) @name body: (_) @body) @def.class
(class name: (_) @name) @def.class
(module name: (_) @name body: (_) @body) @def.module
(module name: (_) @name) @def.module
(singleton_class value: (_)) @scope.class
(method name: (_) @name body: (_) @body) @def.method
(method name: (_) @name) @def.method
(singleton_method name: (_) @name body: (_) @body) @def.method
(singleton_method name: (_) @name) @def.method
(assignment left: (constant) @name right: (call receiver: (constant) @by.class method: (identifier) block: (_) @body)) @def.class
(assignment left: (constant) @name right: (call receiver: (constant) @by.class method: (identifier))) @def.class
(assignment left: (constant) @name) @def.const
(alias name: [(identifier) (simple_symbol) (constant) (setter) (operator)] @name) @def.method
(call method: (identifier) @by.accessor arguments: (argument_list (simple_symbol) @name)) @def.method
(call !receiver method: (identifier) @by.generator arguments: (argument_list . (simple_symbol) @name) block: (_) @body) @def.generated
(call !receiver method: (identifier) @by.generator arguments: (argument_list . (simple_symbol) @name)) @def.generated
(call !receiver method: (identifier) @by.delegator arguments: (argument_list (simple_symbol) @name) @by.own) @def.generated
(call !receiver method: (identifier) @by.forwarder arguments: (argument_list . (_) (simple_symbol) @name)) @def.generated
(call !receiver method: (identifier) @by.forward arguments: (argument_list . (_) . (simple_symbol) @name .)) @def.generated
(call !receiver method: (identifier) @by.forward arguments: (argument_list . (_) . (_) . (simple_symbol) @name .)) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (simple_symbol) @name)) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (simple_symbol) . (array (simple_symbol) @name)) @by.own) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (simple_symbol) . (symbol_array (bare_symbol) @name)) @by.own) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (simple_symbol) . (hash (pair key: [(hash_key_symbol) (simple_symbol)] @name))) @by.own) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (simple_symbol) (pair key: (hash_key_symbol) @name value: (integer))) @by.own) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (pair key: (hash_key_symbol) @name))) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (pair value: (array (simple_symbol) @name))) @by.own) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (pair value: (symbol_array (bare_symbol) @name))) @by.own) @def.generated
(call !receiver method: (identifier) @by.states arguments: (argument_list . (pair value: (hash (pair key: [(hash_key_symbol) (simple_symbol)] @name)))) @by.own) @def.generated
(assignment left: (constant) right: (call receiver: (constant) @by.record @head method: (identifier) arguments: (argument_list (simple_symbol) @name @def.generated) @head))
(superclass (call receiver: (constant) @by.record @head method: (identifier) arguments: (argument_list (simple_symbol) @name @def.generated) @head))
(call method: (identifier) @by.method arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)]) block: (_) @body) @def.method
(call method: (identifier) @by.method arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @name .)])) @def.method

; references
(call !receiver method: (identifier) @ref.call)
(call receiver: (_) @of method: (_) @ref.call)
(call !receiver method: (identifier) @of arguments: (argument_list . (string) @ref.require))
(superclass (constant) @ref.extends)
(superclass (scope_resolution scope: (_) @of name: (constant) @ref.extends))
(scope_resolution name: (constant) @ref.type)
(constant) @ref.type
