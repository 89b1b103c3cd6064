"""What makes a search large: growth without end, and which constant to lower first."""
