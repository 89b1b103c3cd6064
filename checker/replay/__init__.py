"""Runs confirmed by the interpreter, and what explains them: traces, causes, refused guards, fairness."""
