"""What made a classifier decide: the weight of each word for a label."""
