"""Chart algorithms over ragged batches: inside, outside, Viterbi, minimum Bayes risk."""
