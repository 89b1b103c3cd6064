"""Translation validation: the interpreter executes a deterministic sample of what compiled code explored."""
