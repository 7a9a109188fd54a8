"""Methods that rewrite examples, and the ways to combine them."""
