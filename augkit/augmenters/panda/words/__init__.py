"""What a word can be, by word lists, a dictionary and its capital."""
