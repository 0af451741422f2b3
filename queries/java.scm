(package_declaration (_) @module)
(class_declaration name: (identifier) @name) @definition.class
(record_declaration name: (identifier) @name) @definition.class
(interface_declaration name: (identifier) @name) @definition.interface
(annotation_type_declaration name: (identifier) @name) @definition.interface
(enum_declaration name: (identifier) @name) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(method_declaration name: (identifier) @name) @definition.method
(constructor_declaration name: (identifier) @name) @definition.method
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field

(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: (type_identifier) @reference.new)
(superclass (type_identifier) @reference.extends)
(super_interfaces (type_list (type_identifier) @reference.extends))
(type_identifier) @reference.type
(annotation name: (identifier) @reference.use)
(marker_annotation name: (identifier) @reference.use)

(import_declaration (_) @import.module (asterisk) @member)
(import_declaration (scoped_identifier) @import.module .)
