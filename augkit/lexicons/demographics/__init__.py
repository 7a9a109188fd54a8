"""Words that say a person's gender, race or age: terms, names, ages, and where they stand."""
