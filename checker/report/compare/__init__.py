"""What a comparison shows, as text, Markdown, HTML and data."""
