"""A model checked over combinations of constants, searching only what does not follow from another verdict."""
