"""What an edit changes: source, rules, steps, events, verdicts, outcomes, cost."""
