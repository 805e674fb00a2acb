"""The rules, module by module, on positions worked out by hand."""
