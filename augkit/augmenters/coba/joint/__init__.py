"""All steps that a language model does in one call: ``calls: joint``."""
