; scopes and locals
[(function_declaration) (secondary_constructor) (anonymous_initializer) (getter) (setter) (anonymous_function)] @scope.function
[(class_declaration) (object_declaration) (object_literal)] @scope.class
[(lambda_literal) (for_statement) (catch_block) (control_structure_body) (when_expression)] @scope.block

(parameter (simple_identifier) @definition.parameter (_) @type)
(class_parameter . (simple_identifier) @definition.parameter [(user_type) (nullable_type) (function_type)] @type)
((call_expression (navigation_expression . (_) @element (navigation_suffix (simple_identifier) @each)) (call_suffix (annotated_lambda (lambda_literal) @definition.implicit)))
  (#match? @each "^(forEach|map|filter|filterNot|any|all|none|find|first|firstOrNull|last|lastOrNull|single|flatMap|mapNotNull|sortedBy|groupBy|associateBy|count|sumOf|maxByOrNull|minByOrNull|takeWhile|dropWhile|removeAll|onEach|partition|associate|indexOfFirst)$"))
((call_expression (navigation_expression . (_) @value (navigation_suffix (simple_identifier) @each)) (call_suffix (annotated_lambda (lambda_literal) @definition.implicit))) (#match? @each "^(let|also|takeIf|takeUnless)$"))
(lambda_literal) @definition.implicit
((call_expression (navigation_expression . (_) @element (navigation_suffix (simple_identifier) @each)) (call_suffix (annotated_lambda (lambda_literal (lambda_parameters . (variable_declaration . (simple_identifier) @definition.parameter .) .)))))
  (#match? @each "^(forEach|map|filter|filterNot|any|all|none|find|first|firstOrNull|last|lastOrNull|single|flatMap|mapNotNull|sortedBy|groupBy|associateBy|count|sumOf|onEach|partition)$"))
((call_expression (navigation_expression . (_) @value (navigation_suffix (simple_identifier) @each)) (call_suffix (annotated_lambda (lambda_literal (lambda_parameters . (variable_declaration . (simple_identifier) @definition.parameter .) .))))) (#match? @each "^(let|also)$"))
(lambda_parameters (variable_declaration (simple_identifier) @definition.parameter (_) @type))
(lambda_parameters (variable_declaration . (simple_identifier) @definition.parameter .))
(lambda_parameters (multi_variable_declaration (variable_declaration . (simple_identifier) @definition.parameter)))
(for_statement . (variable_declaration . (simple_identifier) @definition.variable .) . (_) @element)
(for_statement (variable_declaration (simple_identifier) @definition.variable (_) @type))
(for_statement (multi_variable_declaration (variable_declaration . (simple_identifier) @definition.variable)))
(catch_block (simple_identifier) @definition.variable (user_type) @type)
(when_subject (variable_declaration . (simple_identifier) @definition.variable) (_) @value)
(statements (property_declaration (variable_declaration (simple_identifier) @definition.variable (_) @type)))
(statements (property_declaration (variable_declaration . (simple_identifier) @definition.variable .) . (_) @value))
(statements (property_declaration (variable_declaration . (simple_identifier) @definition.variable .)))
(statements (property_declaration (multi_variable_declaration (variable_declaration . (simple_identifier) @definition.variable))))

; declarations
(class_declaration (type_identifier) @name (delegation_specifier [(user_type) @extends (constructor_invocation (user_type) @extends) (explicit_delegation (user_type) @extends)])) @definition.class
(class_declaration (type_identifier) @name (type_parameters (type_parameter (type_identifier) @typeparameter))) @definition.class
(class_declaration (type_identifier) @name) @definition.class
(object_declaration (type_identifier) @name (delegation_specifier [(user_type) @extends (constructor_invocation (user_type) @extends)])) @definition.object
(object_declaration (type_identifier) @name) @definition.object
(companion_object (type_identifier) @name (delegation_specifier [(user_type) @extends (constructor_invocation (user_type) @extends)])) @definition.object
(companion_object (type_identifier) @name) @definition.object
(type_alias (type_identifier) @name (_) @alias .) @definition.type
(enum_entry (simple_identifier) @name) @definition.const
(class_parameter (binding_pattern_kind) . (simple_identifier) @name . [(user_type) (nullable_type) (function_type)] @type) @definition.property
(function_declaration (type_parameters (type_parameter (type_identifier) @typeparameter)) (simple_identifier) @name) @definition.func
(function_declaration [(user_type) @owner (nullable_type (user_type) @owner)] . (simple_identifier) @name) @definition.func
(function_declaration (simple_identifier) @name (function_value_parameters) @parameters . [(user_type) (nullable_type)] @returns) @definition.func
(function_declaration (simple_identifier) @name (function_value_parameters) @parameters (function_body "=" (_) @result)) @definition.func
(function_declaration (simple_identifier) @name (function_value_parameters) @parameters) @definition.func
([(class_body (property_declaration (variable_declaration (simple_identifier) @name (_) @type)) @definition.property) (source_file (property_declaration (variable_declaration (simple_identifier) @name (_) @type)) @definition.property)])
([(class_body (property_declaration (variable_declaration . (simple_identifier) @name .) . (_) @value) @definition.property) (source_file (property_declaration (variable_declaration . (simple_identifier) @name .) . (_) @value) @definition.property)])
([(class_body (property_declaration (variable_declaration . (simple_identifier) @name .) (property_delegate (call_expression (call_suffix (annotated_lambda (lambda_literal (statements (_) @value .)))))) ) @definition.property)])
(class_body (property_declaration (user_type) @owner (variable_declaration (simple_identifier) @name)) @definition.property)
(source_file (property_declaration (user_type) @owner (variable_declaration (simple_identifier) @name)) @definition.property)

; imports
(import_header (identifier) @path (import_alias (type_identifier) @alias)) @import
(import_header (identifier) @path (wildcard_import) @all) @import
(import_header (identifier) @path) @import

; expressions
(this_expression) @value.self
(super_expression) @value.super
(navigation_expression . (_) @object (navigation_suffix (simple_identifier) @name)) @value.member
((call_expression . (navigation_expression . (_) @inner (navigation_suffix (simple_identifier) @same)) (call_suffix)) @value.same (#match? @same "^(also|apply|takeIf|takeUnless)$"))
((call_expression . (navigation_expression (navigation_suffix (simple_identifier) @last)) (call_suffix (annotated_lambda (lambda_literal (statements (_) @inner .))))) @value.same (#match? @last "^(let|run|use)$"))
((call_expression . (call_expression . (simple_identifier) @last) (call_suffix (annotated_lambda (lambda_literal (statements (_) @inner .))))) @value.same (#match? @last "^(with|withContext|synchronized)$"))
((call_expression . (simple_identifier) @last (call_suffix (annotated_lambda (lambda_literal (statements (_) @inner .))))) @value.same (#match? @last "^(run|runBlocking|remember|coroutineScope)$"))
((call_expression . (_) @listed (call_suffix . (type_arguments (type_projection (_) @type) .))) @value.listed
  (#match? @listed "(^|[.])(listOf|mutableListOf|arrayListOf|emptyList|setOf|mutableSetOf|emptySet|arrayOf|emptyArray|sequenceOf|listOfNotNull|ArrayList|ArrayDeque|LinkedList|HashSet|LinkedHashSet|hashSetOf|linkedSetOf|CopyOnWriteArrayList|ConcurrentLinkedQueue|filterIsInstance|mutableStateListOf)$"))
((call_expression . (_) @listed (call_suffix . (type_arguments (_) (type_projection (_) @type) .))) @value.mapped
  (#match? @listed "^(mapOf|mutableMapOf|emptyMap|HashMap|LinkedHashMap|ConcurrentHashMap|TreeMap|hashMapOf|linkedMapOf|mutableStateMapOf)$"))
(call_expression . (call_expression) @inner (call_suffix . (annotated_lambda))) @value.same
(call_expression . (_) @function (call_suffix . (type_arguments) @arguments)) @value.call
(call_expression . (_) @function (call_suffix)) @value.call
(infix_expression . (_) @object . (simple_identifier) @name) @value.call
(lambda_literal (statements (_) @inner .)) @value.lambda
((callable_reference) @value.literal (#match? @value.literal "::class$"))
(as_expression (_) (_) @type .) @value.new
(parenthesized_expression (_) @inner) @value.same
(postfix_expression (_) @inner) @value.same
(elvis_expression . (_) @inner . (_) @inner) @value.either
(if_expression (control_structure_body (_) @inner .) . (control_structure_body (_) @inner .)) @value.either
(indexing_expression . (_) @inner) @value.element
[(simple_identifier) (interpolated_identifier)] @value.name
((call_expression . (simple_identifier) @make (call_suffix (value_arguments (value_argument (_) @inner)))) @value.list (#match? @make "^(listOf|mutableListOf|arrayListOf|setOf|mutableSetOf|arrayOf|sequenceOf|listOfNotNull)$"))
[(string_literal) (integer_literal) (long_literal) (real_literal) (boolean_literal) (character_literal) (additive_expression) (multiplicative_expression) (comparison_expression)
 (equality_expression) (conjunction_expression) (disjunction_expression) (check_expression) (range_expression)] @value.literal

((user_type (type_identifier) @base (type_arguments (type_projection (_) @inner))) @type.list
  (#match? @base "^(List|MutableList|ArrayList|Set|MutableSet|HashSet|LinkedHashSet|Collection|MutableCollection|Iterable|MutableIterable|Sequence|Array|Iterator|ArrayDeque|Queue|Deque|LinkedList|SortedSet|CopyOnWriteArrayList|ConcurrentLinkedQueue|Flow|StateFlow|MutableStateFlow|SharedFlow|MutableSharedFlow|State|MutableState)$"))
((user_type (type_identifier) @base (type_arguments (_) (type_projection (_) @inner) .)) @type.map (#match? @base "^(Map|MutableMap|HashMap|LinkedHashMap|ConcurrentHashMap|ConcurrentMap|SortedMap|TreeMap)$"))
((user_type . (type_identifier) @base . (type_arguments . (type_projection (_) @inner) .) .) @type.class (#match? @base "^K?Class$"))
(user_type . (type_identifier) @base . (type_arguments) @arguments .) @type.apply
(user_type . (type_identifier) @object . (type_identifier) @name . (type_arguments) @arguments .) @type.member
(user_type . (type_identifier) @object . (type_identifier) @name .) @type.member
(user_type (type_identifier) @inner) @type.same
(function_type (function_type_parameters) . (_) @inner .) @type.function
(nullable_type (_) @inner) @type.same
(parenthesized_type (_) @inner) @type.same
(type_projection (_) @inner) @type.same
(type_identifier) @type.name

; references
(import_header (identifier (simple_identifier) @reference.import .))
(import_header (identifier (simple_identifier) @reference.within))
(identifier (simple_identifier) @reference.none)
[(label) (type_parameter (type_identifier) @reference.none) (import_alias (type_identifier) @reference.none)]
(value_argument . (simple_identifier) @reference.named "=")
(call_expression . (call_expression . (navigation_expression . (_) @of (navigation_suffix (simple_identifier) @reference.call)) (call_suffix (value_arguments) @arguments .)) (call_suffix . (annotated_lambda) @argument))
(call_expression . (call_expression . (simple_identifier) @reference.call (call_suffix (value_arguments) @arguments .)) (call_suffix . (annotated_lambda) @argument))
(call_expression . (navigation_expression . (_) @of (navigation_suffix (simple_identifier) @reference.call)) (call_suffix . (annotated_lambda) @argument))
(call_expression . (simple_identifier) @reference.call (call_suffix . (annotated_lambda) @argument))
(call_expression . (navigation_expression . (_) @of (navigation_suffix (simple_identifier) @reference.call)) (call_suffix (value_arguments) @arguments .))
(call_expression . (navigation_expression . (_) @of (navigation_suffix (simple_identifier) @reference.call)))
(call_expression . (simple_identifier) @reference.call (call_suffix (value_arguments) @arguments .))
(call_expression . (simple_identifier) @reference.call)
(directly_assignable_expression . (_) @of (navigation_suffix (simple_identifier) @reference.write))
(directly_assignable_expression . (simple_identifier) @reference.write .)
(navigation_expression . (_) @of (navigation_suffix (simple_identifier) @reference.read))
((callable_reference . (type_identifier) @of (simple_identifier) @reference.call) (#match? @of "^[A-Z]"))
(infix_expression . (_) @of . (simple_identifier) @reference.call . (_) @argument)
(callable_reference (simple_identifier) @reference.call)
((callable_reference (type_identifier) @reference.read) (#match? @reference.read "^[a-z]"))
(callable_reference (type_identifier) @reference.type)
(delegation_specifier [(user_type (type_identifier) @of . (type_identifier) @reference.extends) (constructor_invocation (user_type (type_identifier) @of . (type_identifier) @reference.extends))
 (explicit_delegation (user_type (type_identifier) @of . (type_identifier) @reference.extends))])
(delegation_specifier [(user_type . (type_identifier) @reference.extends .) (user_type . (type_identifier) @reference.extends . (type_arguments))
 (constructor_invocation (user_type . (type_identifier) @reference.extends .)) (constructor_invocation (user_type . (type_identifier) @reference.extends . (type_arguments)))
 (explicit_delegation (user_type . (type_identifier) @reference.extends .)) (explicit_delegation (user_type . (type_identifier) @reference.extends . (type_arguments)))])
(user_type (type_identifier) @of . (type_identifier) @reference.type)
(type_identifier) @reference.type
[(simple_identifier) (interpolated_identifier)] @reference.read
