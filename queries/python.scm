(class_definition body: (block (function_definition name: (identifier) @name) @definition.method))
(class_definition body: (block (decorated_definition definition: (function_definition name: (identifier) @name) @definition.method)))
(function_definition name: (identifier) @name) @definition.function
(class_definition name: (identifier) @name) @definition.class
(module (expression_statement (assignment left: (identifier) @name) @definition.variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @definition.field)))

(call function: (identifier) @reference.call)
(call function: (attribute attribute: (identifier) @reference.call))
(class_definition superclasses: (argument_list (identifier) @reference.extends))
(class_definition superclasses: (argument_list (attribute attribute: (identifier) @reference.extends)))
(type (identifier) @reference.type)
(decorator (identifier) @reference.use)
(import_from_statement name: (dotted_name (identifier) @reference.use .))

(import_statement name: (dotted_name) @import.module)
(import_statement name: (aliased_import name: (dotted_name) @import.module))
(import_from_statement module_name: (dotted_name) @import.module name: [(dotted_name) @member (aliased_import name: (dotted_name) @member)])
(import_from_statement module_name: (relative_import) @import.relative name: [(dotted_name) @member (aliased_import name: (dotted_name) @member)])
(import_from_statement module_name: (dotted_name) @import.module (wildcard_import))
(import_from_statement module_name: (relative_import) @import.relative (wildcard_import))
