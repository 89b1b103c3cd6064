"""The version of the checker, whether it is installed or not."""

VERSION = "0.1.0"
