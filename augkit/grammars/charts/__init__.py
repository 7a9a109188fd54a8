"""Chart algorithms over ragged batches: inside, outside, Viterbi."""
