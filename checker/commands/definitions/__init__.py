"""What the command line offers: the arguments and options of each command, and the call that each makes."""
