"""What a setting was chosen by, and how far an idea can go."""
