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
