"""The command line: a file for each group of commands, from options through analysis to a report."""
