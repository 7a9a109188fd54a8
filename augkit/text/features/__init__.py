"""Surface features of texts: their kinds, their numbers, their counts by label, and statistics."""
