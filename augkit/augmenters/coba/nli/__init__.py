"""CoBA for pairs of texts: inference, fact checking, style transfer."""
