; TypeScript; tsx.scm adds the elements of JSX.
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(function_signature name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(abstract_class_declaration name: (_) @name) @definition.class
(interface_declaration name: (_) @name) @definition.interface
(type_alias_declaration name: (_) @name) @definition.type
(enum_declaration name: (_) @name) @definition.enum
(internal_module name: (_) @name) @definition.module
(module name: (_) @name) @definition.module
(method_definition name: (_) @name) @definition.method
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name) @definition.field
(property_signature name: (_) @name) @definition.field
(enum_assignment name: (_) @name) @definition.constant
(variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @definition.function
(variable_declarator name: (identifier) @name value: (class)) @definition.class
(program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (variable_declaration (variable_declarator name: (identifier) @name) @definition.variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @definition.variable)))
(assignment_expression left: (member_expression property: (property_identifier) @name) right: [(arrow_function) (function_expression)]) @definition.function
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)]) @definition.method

(call_expression function: (identifier) @reference.call)
(call_expression function: (member_expression property: (property_identifier) @reference.call))
(new_expression constructor: (identifier) @reference.new)
(new_expression constructor: (member_expression property: (property_identifier) @reference.new))
(extends_clause value: (identifier) @reference.extends)
(implements_clause (type_identifier) @reference.extends)
(extends_type_clause (type_identifier) @reference.extends)
(type_identifier) @reference.type
(import_specifier name: (identifier) @reference.use)

(import_statement source: (string) @import.module)
(import_require_clause source: (string) @import.module)
(export_statement source: (string) @import.module)
(call_expression function: (import) arguments: (arguments . (string) @import.module))
(call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module) (#eq? @_require "require"))
