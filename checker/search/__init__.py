"""Exact breadth-first search over an abstract source of successors, in the threads of one process and on Spark."""
