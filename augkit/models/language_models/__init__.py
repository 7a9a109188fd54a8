"""Language models: masked, causal, sequence-to-sequence, and vectors of sentences."""
