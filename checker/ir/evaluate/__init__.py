"""The intermediate representation, walked node by node."""
