"""CoBA: counterbias augmentation through semantic triples."""
