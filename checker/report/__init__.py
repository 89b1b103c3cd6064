"""Reports: a trace as text, as a space-time diagram, and as files. Nothing is imported here: a check without a
violation needs none of it."""
