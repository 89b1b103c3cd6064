"""The options of each command, as its help shows them; the command itself is imported when it is called."""
