"""Whether a verdict is vacuous: antecedents never satisfied, actions never enabled, parts never used."""
