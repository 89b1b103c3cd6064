"""The options of the commands, as their help shows them; a command itself is imported when it is called."""
