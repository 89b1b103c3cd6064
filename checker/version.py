"""The version of the checker, where it is installed and where it is not."""

VERSION = "0.1.0"
