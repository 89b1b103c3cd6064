"""Translation validation: a deterministic sample of what compiled code answered, executed again by the interpreter."""
