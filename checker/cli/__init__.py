"""The command line: for each command a module with a function of its name, from its options through an analysis to a
report and an exit code."""
