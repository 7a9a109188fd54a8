"""Features of parse trees: subtrees and rules, ranked by what they tell of the label."""
