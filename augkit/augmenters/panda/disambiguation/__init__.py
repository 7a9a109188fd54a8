"""Whether a word speaks of a person here, or of a thing, a place, a work or nobody."""
