"""The rules workbench: for domain experts who change rules and want to see what changes."""
