"""How long a delivery takes and how many messages a multicast costs, over all runs of a model."""
