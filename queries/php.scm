(namespace_definition name: (_) @module)
(function_definition name: (name) @name) @definition.function
(class_declaration name: (name) @name) @definition.class
(trait_declaration name: (name) @name) @definition.class
(interface_declaration name: (name) @name) @definition.interface
(enum_declaration name: (name) @name) @definition.enum
(enum_case name: (name) @name) @definition.constant
(method_declaration name: (name) @name) @definition.method
(property_element name: (variable_name (name) @name)) @definition.field
(const_element (name) @name) @definition.constant

(function_call_expression function: (name) @reference.call)
(member_call_expression name: (name) @reference.call)
(nullsafe_member_call_expression name: (name) @reference.call)
(scoped_call_expression name: (name) @reference.call)
(scoped_call_expression scope: (name) @reference.use)
(object_creation_expression (name) @reference.new)
(base_clause (name) @reference.extends)
(class_interface_clause (name) @reference.extends)
(named_type (name) @reference.type)

(namespace_use_declaration (namespace_use_clause . [(name) (qualified_name)] @import.module))
(namespace_use_declaration (namespace_name) @import.module body: (namespace_use_group (namespace_use_clause . (name) @member)))
(use_declaration (name) @reference.extends)
(include_expression (_) @import.include)
(include_once_expression (_) @import.include)
(require_expression (_) @import.include)
(require_once_expression (_) @import.include)
