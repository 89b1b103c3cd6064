"""Runs confirmed by the interpreter, and their explanations: traces, causes, disabled guards, fairness."""
