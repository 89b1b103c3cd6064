"""Reusable properties of protocols, one idea per file; those of multicast are gathered in properties.multicast."""
