"""Grammars (PCFG and synchronous PCFG): parameters, training, induction from a corpus."""
