"""What each instance of an action reads, writes, sends and takes."""
