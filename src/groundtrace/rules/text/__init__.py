"""The reader of rule text: words, statements, rules and comments, each with its place."""
