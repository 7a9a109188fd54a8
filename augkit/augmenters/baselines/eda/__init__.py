"""EDA: synonym replacement, random insertion, swap and deletion."""
