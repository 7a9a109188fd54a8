"""AutoCAD: the words that made a classifier decide are hidden and filled for another label."""
