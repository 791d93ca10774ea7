; scopes and locals
(program) @scope.function
[(method) (singleton_method)] @scope.closed
[(class) (module) (singleton_class)] @scope.class
[(block) (do_block) (lambda)] @scope.block
((assignment left: (constant) right: (call receiver: (constant) @class block: (_))) @scope.class (#match? @class "^(Class|Module|Struct|Data)$"))
((call method: (identifier) @macro) @scope.block (#match? @macro "^(define_(singleton_)?method|scope)$"))

(method_parameters [(identifier) @definition.parameter (_ name: (identifier) @definition.parameter)])
(block_parameters [(identifier) @definition.parameter (_ name: (identifier) @definition.parameter)])
(lambda_parameters [(identifier) @definition.parameter (_ name: (identifier) @definition.parameter)])
(destructured_parameter (identifier) @definition.parameter)
(assignment left: (identifier) @definition.assigned right: (_) @value)
(operator_assignment left: (identifier) @definition.assigned right: (_) @value)
(left_assignment_list [(identifier) @definition.assigned (rest_assignment (identifier) @definition.assigned) (destructured_left_assignment (identifier) @definition.assigned)])
(exception_variable (identifier) @definition.assigned)
(rescue exceptions: (exceptions . (_) @type .) variable: (exception_variable (identifier) @definition.assigned))
((call !receiver method: (identifier) @let arguments: (argument_list . (simple_symbol) @name) block: (_ body: (_) @value)) @definition.let (#match? @let "^(let|subject)!?$"))
((call !receiver method: (identifier) @let !arguments block: (_ body: (_) @value)) @definition.let (#match? @let "^subject!?$"))
(for pattern: (identifier) @definition.assigned value: (in (_) @element))
(assignment left: [(instance_variable) (class_variable)] @definition.member right: (_) @value)
(operator_assignment left: [(instance_variable) (class_variable)] @definition.member right: (_) @value)

; declarations
(class name: [(constant) @name (scope_resolution name: (_) @name)] superclass: (superclass (_) @extends)) @definition.class
(class name: [(constant) @name (scope_resolution name: (_) @name)]) @definition.class
(module name: [(constant) @name (scope_resolution name: (_) @name)]) @definition.module
((assignment left: (constant) @name right: (call receiver: (constant) @class arguments: (argument_list . (_) @extends))) @definition.class (#match? @class "^Class$"))
(assignment left: (constant) @name right: (_) @value) @definition.const
(method name: (_) @name body: (_) @result) @definition.method
(singleton_method name: (_) @name body: (_) @result) @definition.method
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
((call !receiver method: (identifier) @accessor arguments: (argument_list (simple_symbol) @name)) @definition.accessor
  (#match? @accessor "^(attr|attr_(reader|writer|accessor)|(cattr|mattr|thread_mattr|thread_cattr|attr_internal)_(reader|writer|accessor)|attr_internal|class_attribute)$"))
((call !receiver method: (identifier) @macro arguments: (argument_list . (simple_symbol) @name)) @definition.generated
  (#match? @macro "^(belongs_to|has_(one|many|and_belongs_to_many|one_attached|many_attached|rich_text)|scope|attribute|alias_attribute|enum|def_node_(matcher|search))$"))
((call !receiver method: (identifier) @macro arguments: (argument_list (simple_symbol) @name)) @definition.delegated
  (#match? @macro "^(delegate|store_accessor|def_(instance_)?delegators?)$"))
((call !receiver method: (identifier) @macro arguments: (argument_list . (pair key: (hash_key_symbol) @name))) @definition.generated (#match? @macro "^enum$"))
((call !receiver method: (identifier) @macro arguments: (argument_list [(array (simple_symbol) @name) (symbol_array (bare_symbol) @name) (hash (pair key: [(hash_key_symbol) (simple_symbol)] @name)) (pair key: (hash_key_symbol) @name) (pair value: [(array (simple_symbol) @name) (symbol_array (bare_symbol) @name) (hash (pair key: [(hash_key_symbol) (simple_symbol)] @name))])])) @definition.state
  (#match? @macro "^enum$"))
((call receiver: (constant) @record arguments: (argument_list (simple_symbol) @name)) @definition.state (#match? @record "^(Struct|Data)$"))
(alias name: (_) @name alias: (_) @aliased) @definition.alias
((call !receiver method: (identifier) @macro arguments: (argument_list . (simple_symbol) @name . (simple_symbol) @aliased)) @definition.alias (#match? @macro "^alias_method$"))
((call !receiver method: (identifier) @macro arguments: (argument_list . (simple_symbol) @name) block: (_ body: (_) @result)) @definition.defined (#match? @macro "^define_(singleton_)?method$"))
((call !receiver method: (identifier) @macro arguments: (argument_list . (simple_symbol) @name)) @definition.defined (#match? @macro "^define_(singleton_)?method$"))
((class name: [(constant) @name (scope_resolution name: (_) @name)] body: (body_statement (call method: (identifier) @include arguments: (argument_list [(constant) (scope_resolution)] @implements)))) @definition.class
  (#match? @include "^(include|prepend)$"))
((module name: [(constant) @name (scope_resolution name: (_) @name)] body: (body_statement (call method: (identifier) @include arguments: (argument_list [(constant) (scope_resolution)] @implements)))) @definition.module
  (#match? @include "^(include|prepend)$"))
((class name: [(constant) @name (scope_resolution name: (_) @name)] body: (body_statement (call method: (identifier) @extend arguments: (argument_list [(constant) (scope_resolution)] @embeds)))) @definition.class
  (#match? @extend "^extend$"))
((module name: [(constant) @name (scope_resolution name: (_) @name)] body: (body_statement (call method: (identifier) @extend arguments: (argument_list [(constant) (scope_resolution)] @embeds)))) @definition.module
  (#match? @extend "^extend$"))

; imports
((call !receiver method: (identifier) @require arguments: (argument_list . (string (string_content) @path))) @import.file (#match? @require "^(require|require_relative|load)$"))
((call !receiver method: (identifier) @require arguments: (argument_list (string (string_content) @path))) @import.file (#match? @require "^autoload$"))

; expressions
((identifier) @value.new (#match? @value.new "^new$"))
((identifier) @value.described (#match? @value.described "^described_class$"))
(identifier) @value.called
[(instance_variable) (class_variable)] @value.name
(constant) @value.name
(scope_resolution scope: (_) @object name: (constant) @name) @value.member
(scope_resolution !scope name: (constant) @inner) @value.same
(self) @value.self
(super) @value.super
((call receiver: (constant) @class method: (identifier) @new arguments: (argument_list . (_) @inner)) @value.same (#match? @new "^new$") (#match? @class "^Class$"))
((call receiver: (_) @type method: (identifier) @new) @value.new (#match? @new "^(new|allocate)$"))
((call receiver: (_) @object method: (identifier) @class) @value.class (#match? @class "^class$"))
((call !receiver method: (identifier) @new) @value.new (#match? @new "^new$"))
((call receiver: (_) @inner method: (identifier) @same) @value.same (#match? @same "^(freeze|dup|clone|tap|itself|to_s!)$"))
(call receiver: (_) @object method: (identifier) @name) @value.call
(call !receiver method: (identifier) @function) @value.call
(assignment right: (_) @inner) @value.same
(operator_assignment right: (_) @inner) @value.same
(parenthesized_statements (_) @inner .) @value.same
(conditional consequence: (_) @inner alternative: (_) @inner) @value.either
[(string) (integer) (float) (simple_symbol) (true) (false) (nil) (hash) (array) (regex) (subshell) (string_array) (symbol_array) (heredoc_beginning)] @value.literal

; references
(superclass [(constant) @reference.extends (scope_resolution scope: (_) @of name: (constant) @reference.extends)])
((call method: (identifier) @include arguments: (argument_list (constant) @reference.implements)) (#match? @include "^(include|extend|prepend)$"))
((call method: (identifier) @include arguments: (argument_list (scope_resolution scope: (_) @of name: (constant) @reference.implements))) (#match? @include "^(include|extend|prepend)$"))
(class name: (scope_resolution name: (constant) @reference.none))
(module name: (scope_resolution name: (constant) @reference.none))
(alias name: (_) @reference.none)
(alias alias: (identifier) @reference.call)
(undef (_) @reference.none)
(super) @reference.super
(assignment left: (call receiver: (_) @of method: [(identifier) (constant)] @reference.write))
(left_assignment_list (call receiver: (_) @of method: [(identifier) (constant)] @reference.write))
(block_argument (simple_symbol) @reference.symbol)
((call receiver: (_) @of method: (identifier) @send arguments: (argument_list . (simple_symbol) @reference.symbol)) (#match? @send "^(send|public_send|__send__|method|public_method|instance_method|try|respond_to[?])$"))
((call !receiver method: (identifier) @send arguments: (argument_list . (simple_symbol) @reference.symbol)) (#match? @send "^(send|public_send|__send__|method|respond_to[?])$"))
((pair key: (hash_key_symbol) @option value: (string . (string_content) @reference.class_name .)) (#match? @option "^class_name$"))
((pair value: (string . (string_content) @reference.route .)) (#match? @reference.route "^[a-z][a-z0-9_/]*#[a-z_][a-z0-9_]*[?!]?$"))
((call !receiver method: (identifier) @route arguments: (argument_list (string . (string_content) @reference.route .))) (#match? @route "^(root|get|post|put|patch|delete|match)$") (#match? @reference.route "^[a-z][a-z0-9_/]*#[a-z_][a-z0-9_]*[?!]?$"))
(call !receiver method: (identifier) @macro arguments: (argument_list (simple_symbol) @reference.named))
(call !receiver method: (identifier) @macro arguments: (argument_list (pair value: (simple_symbol) @reference.named)))
(call !receiver method: (identifier) @macro arguments: (argument_list (pair value: (array (simple_symbol) @reference.named))))
(call !receiver method: (identifier) @macro arguments: (argument_list (pair value: (symbol_array (bare_symbol) @reference.named))))
(call receiver: (_) @of method: (constant) @reference.call)
(call !receiver method: (constant) @reference.call)
(scope_resolution scope: (_) @of name: (constant) @reference.type)
(constant) @reference.type
(call receiver: (_) @of method: (_) @reference.call)
(call !receiver method: (identifier) @reference.call)
(identifier) @reference.call
