"""CrossAug: supported claims turned into refuted ones, and the evidence changed to match."""
