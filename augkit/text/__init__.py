"""Pure functions over strings: tokens, differences, casing."""
