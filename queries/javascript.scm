; JavaScript. The name is captured beside what it defines; references, imports and the module stand alone.
(function_declaration name: (identifier) @name) @definition.function
(generator_function_declaration name: (identifier) @name) @definition.function
(class_declaration name: (_) @name) @definition.class
(method_definition name: (_) @name) @definition.method
(field_definition property: (_) @name) @definition.field
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
(class_heritage (identifier) @reference.extends)
(import_specifier name: (identifier) @reference.use)
(jsx_opening_element name: (identifier) @reference.use)
(jsx_self_closing_element name: (identifier) @reference.use)

(import_statement source: (string) @import.module)
(export_statement source: (string) @import.module)
(call_expression function: (import) arguments: (arguments . (string) @import.module))
(call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module) (#eq? @_require "require"))
