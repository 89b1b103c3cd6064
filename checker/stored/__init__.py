"""Files that the program writes and reads back: written whole, sealed by a checksum, read with a check of every
type."""
