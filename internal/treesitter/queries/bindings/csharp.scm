; scopes and locals
[(method_declaration) (constructor_declaration) (destructor_declaration) (operator_declaration) (conversion_operator_declaration) (local_function_statement)
 (accessor_declaration) (lambda_expression) (anonymous_method_expression) (indexer_declaration)] @scope.function
[(class_declaration) (interface_declaration) (struct_declaration) (enum_declaration) (record_declaration)] @scope.class
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section) (query_expression)] @scope.block
; statements outside of types see each other's variables
(compilation_unit (global_statement)) @scope.block

(parameter type: (_) @type name: (identifier) @definition.parameter)
(parameter !type name: (identifier) @definition.parameter)
(parameter_list name: (identifier) @definition.parameter)
(bracketed_parameter_list (parameter type: (_) @type name: (identifier) @definition.parameter))
((invocation_expression function: (member_access_expression expression: (_) @element name: (identifier) @each) arguments: (argument_list (argument (lambda_expression parameters: (implicit_parameter) @definition.parameter))))
  (#match? @each "^(Where|Select|SelectMany|Any|All|First|FirstOrDefault|Last|LastOrDefault|Single|SingleOrDefault|OrderBy|OrderByDescending|ThenBy|GroupBy|ForEach|Find|FindAll|FindIndex|Exists|Count|Sum|Min|Max|ToDictionary|TakeWhile|SkipWhile|RemoveAll|Distinct)$"))
(implicit_parameter) @definition.parameter
(local_declaration_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @definition.variable (_) @value .)))
(using_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @definition.variable (_) @value .)))
(for_statement (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @definition.variable (_) @value .)))
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @definition.variable)))
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @definition.variable)))
(for_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @definition.variable)))
(foreach_statement type: (implicit_type) left: (identifier) @definition.variable right: (_) @element)
(foreach_statement type: (_) @type left: (identifier) @definition.variable)
(catch_declaration type: (_) @type name: (identifier) @definition.variable)
(declaration_pattern type: (_) @type name: (identifier) @definition.variable)
(declaration_expression type: (_) @type name: (identifier) @definition.variable)
(from_clause name: (identifier) @definition.variable (_) @element .)

; declarations
(class_declaration name: (identifier) @name (base_list (_) @extends)) @definition.class
(class_declaration name: (identifier) @name (type_parameter_list (type_parameter name: (identifier) @typeparameter))) @definition.class
(class_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name (base_list (_) @extends)) @definition.interface
(interface_declaration name: (identifier) @name (type_parameter_list (type_parameter name: (identifier) @typeparameter))) @definition.interface
(interface_declaration name: (identifier) @name) @definition.interface
(struct_declaration name: (identifier) @name (base_list (_) @implements)) @definition.struct
(struct_declaration name: (identifier) @name (type_parameter_list (type_parameter name: (identifier) @typeparameter))) @definition.struct
(struct_declaration name: (identifier) @name) @definition.struct
(record_declaration name: (identifier) @name (base_list [(identifier) (generic_name) (qualified_name) (primary_constructor_base_type)] @extends)) @definition.record
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @name) @definition.property))
(record_declaration name: (identifier) @name) @definition.record
(enum_declaration name: (identifier) @name) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.const
(delegate_declaration type: (_) name: (identifier) @name) @definition.type
(method_declaration returns: (_) @returns name: (identifier) @name parameters: (_) @parameters) @definition.method
((method_declaration name: (identifier) @name parameters: (parameter_list . (parameter (modifier) @this type: (_) @extended))) @definition.method (#match? @this "^this$"))
(method_declaration name: (identifier) @name (type_parameter_list (type_parameter name: (identifier) @typeparameter))) @definition.method
(constructor_declaration name: (identifier) @name parameters: (_) @parameters) @definition.method
(local_function_statement type: (_) @returns name: (identifier) @name) @definition.func
(property_declaration type: (_) @type name: (identifier) @name) @definition.property
(event_declaration type: (_) @type name: (identifier) @name) @definition.property
(event_field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @definition.property))
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name) @definition.field))

; imports
(using_directive "global" @everywhere name: (identifier) @alias [(qualified_name) (generic_name)] @path) @import
(using_directive "global" @everywhere !name [(identifier) (qualified_name)] @path @all) @import
(using_directive !name [(identifier) (qualified_name)] @path @all) @import
(using_directive name: (identifier) @alias [(qualified_name) (generic_name)] @path) @import

; expressions
"this" @value.self
"base" @value.super
(generic_name . (identifier) @inner (type_argument_list) @arguments) @value.generic
(member_access_expression expression: _ @object name: (generic_name . (identifier) @name (type_argument_list) @arguments)) @value.member
(member_access_expression expression: _ @object name: (identifier) @name) @value.member
(conditional_access_expression condition: (_) @object (member_binding_expression name: (identifier) @name)) @value.member

((invocation_expression function: (member_access_expression expression: (_) @inner name: (identifier) @each)) @value.element
  (#match? @each "^(First|Single|Last|ElementAt)(OrDefault)?(Async)?$"))
((invocation_expression function: (member_access_expression expression: (_) @inner name: (identifier) @each)) @value.same
  (#match? @each "^(ToList|ToArray)(Async)?$|^(ToHashSet|AsEnumerable|AsQueryable|AsReadOnly|ConfigureAwait|Where|Skip|Take|Distinct|Reverse|OrderBy|OrderByDescending|ThenBy|ThenByDescending)$"))
(invocation_expression function: (_) @function) @value.call
(object_creation_expression type: (_) @type) @value.new
(array_creation_expression type: (_) @type) @value.new
[(cast_expression type: (_) @type) (as_expression right: (_) @type)] @value.new
(parenthesized_expression (_) @inner) @value.same
(await_expression (_) @inner) @value.same
(postfix_unary_expression (_) @inner "!") @value.same
(assignment_expression right: (_) @inner) @value.same
(conditional_expression consequence: (_) @inner alternative: (_) @inner) @value.either
(binary_expression left: (_) @inner "??" right: (_) @inner) @value.either
(element_access_expression expression: (_) @inner) @value.element
(identifier) @value.name
[(string_literal) (verbatim_string_literal) (interpolated_string_expression) (integer_literal) (real_literal) (boolean_literal) (character_literal) (typeof_expression) (binary_expression) (null_literal)] @value.literal

((generic_name . (identifier) @base (type_argument_list (_) @inner)) @type.list
  (#match? @base "^(List|IList|IEnumerable|ICollection|IReadOnlyList|IReadOnlyCollection|HashSet|ISet|Queue|Stack|LinkedList|IQueryable|IEnumerator|Collection|ObservableCollection|ReadOnlyCollection|ConcurrentBag|ConcurrentQueue)$"))
((generic_name . (identifier) @base (type_argument_list (_) @inner .)) @type.map
  (#match? @base "^(Dictionary|IDictionary|SortedDictionary|ConcurrentDictionary|IReadOnlyDictionary|SortedList)$"))
((generic_name . (identifier) @base (type_argument_list (_) @inner)) @type.same (#match? @base "^(Task|ValueTask|Expression|Nullable|Lazy|ThreadLocal|WeakReference)$"))
((generic_name . (identifier) @base (type_argument_list) @arguments) @type.delegate (#match? @base "^(Func|Action|Predicate|Comparison)$"))
(generic_name . (identifier) @base (type_argument_list) @arguments) @type.apply
(array_type type: (_) @inner) @type.list
(nullable_type (_) @inner) @type.same
(primary_constructor_base_type type: (_) @inner) @type.same
(qualified_name qualifier: (_) @object name: (generic_name . (identifier) @name (type_argument_list) @arguments)) @type.member
(qualified_name) @type.path
(identifier) @type.name
(predefined_type) @type.builtin

; references
[(namespace_declaration name: (_) @reference.none) (file_scoped_namespace_declaration name: (_) @reference.none)]
(using_directive name: (identifier) (qualified_name) @reference.type)
(using_directive (_) @reference.none)
(using_directive (qualified_name (identifier) @reference.none))
(attribute name: [(identifier) (qualified_name)] @reference.attribute)
(qualified_name qualifier: (_) @of name: (generic_name . (identifier) @reference.type))
(qualified_name name: (generic_name)) @reference.none
(qualified_name) @reference.type
(qualified_name qualifier: (identifier) @reference.type)
(qualified_name (identifier) @reference.none)
(argument name: (identifier) @reference.none)
[(labeled_statement (identifier) @reference.none) (goto_statement (identifier) @reference.none) (type_parameter (identifier) @reference.none)]
(invocation_expression function: (member_access_expression expression: _ @of name: [(identifier) @reference.call (generic_name . (identifier) @reference.call)]) arguments: (_) @arguments)
(invocation_expression function: (conditional_access_expression condition: (_) @of (member_binding_expression name: (identifier) @reference.call)) arguments: (_) @arguments)
(conditional_access_expression condition: (_) @of (member_binding_expression name: (identifier) @reference.read))
(member_binding_expression name: (identifier) @reference.none)
(assignment_expression left: (member_access_expression expression: _ @of name: (identifier) @reference.write))
(member_access_expression expression: _ @of name: [(identifier) @reference.read (generic_name . (identifier) @reference.read)])
(object_creation_expression type: (_) @made initializer: (initializer_expression (assignment_expression left: (identifier) @reference.write)))
(recursive_pattern type: (_) @made (property_pattern_clause (subpattern . (identifier) @reference.read)))
(object_creation_expression type: [(identifier) @reference.call (generic_name . (identifier) @reference.call)])
(base_list [(identifier) @reference.extends (generic_name . (identifier) @reference.extends) (primary_constructor_base_type type: (identifier) @reference.extends)])
(invocation_expression function: [(identifier) @reference.call (generic_name . (identifier) @reference.call)] arguments: (_) @arguments)
(assignment_expression left: (identifier) @reference.write)
(with_initializer . (identifier) @reference.write)
[(parameter type: (identifier) @reference.type) (variable_declaration type: (identifier) @reference.type) (method_declaration returns: (identifier) @reference.type)
 (property_declaration type: (identifier) @reference.type) (type_argument_list (identifier) @reference.type)
 (cast_expression type: (identifier) @reference.type) (as_expression right: (identifier) @reference.type) (declaration_pattern type: (identifier) @reference.type)
 (typeof_expression type: (identifier) @reference.type) (catch_declaration type: (identifier) @reference.type) (array_type type: (identifier) @reference.type)
 (nullable_type type: (identifier) @reference.type) (foreach_statement type: (identifier) @reference.type) (type_parameter_constraint type: (identifier) @reference.type)]
(argument (generic_name . (identifier) @reference.read))
(generic_name . (identifier) @reference.type)
(identifier) @reference.read
