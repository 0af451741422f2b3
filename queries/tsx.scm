; What TSX has beside typescript.scm.
(jsx_opening_element name: (identifier) @reference.use)
(jsx_self_closing_element name: (identifier) @reference.use)
