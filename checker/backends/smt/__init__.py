"""The symbolic back end: the intermediate representation as formulas over booleans and bit vectors, decided by z3."""
