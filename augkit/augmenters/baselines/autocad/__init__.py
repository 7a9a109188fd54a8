"""AutoCAD: rationales of a classifier are masked and filled in for another label."""
