"""The race axis: words for a race, nationalities, and names."""
