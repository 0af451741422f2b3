(class name: (_) @name) @definition.class
(module name: (_) @name) @definition.module
(class body: (body_statement (method name: (_) @name) @definition.method))
(module body: (body_statement (method name: (_) @name) @definition.method))
(method name: (_) @name) @definition.function
(singleton_method name: (_) @name) @definition.method
(assignment left: (constant) @name) @definition.constant

(call method: (identifier) @reference.call)
(superclass (constant) @reference.extends)
(call receiver: (constant) @reference.use)
(scope_resolution name: (constant) @reference.use)

(call method: (identifier) @_require arguments: (argument_list . (string (string_content) @import.module)) (#any-of? @_require "require" "load"))
(call method: (identifier) @_require arguments: (argument_list . (string (string_content) @import.relative)) (#eq? @_require "require_relative"))
(call method: (identifier) @_require arguments: (argument_list (simple_symbol) . (string (string_content) @import.module)) (#eq? @_require "autoload"))
