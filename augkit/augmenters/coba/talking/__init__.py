"""The steps of CoBA that a language model does: what is asked, and how the answer is read."""
