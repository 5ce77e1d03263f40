"""What is wrong in a rule file, found without running it."""
