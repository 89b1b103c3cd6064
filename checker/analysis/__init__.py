"""What a user can ask about a model: each question from its constants to its result, without printing."""
