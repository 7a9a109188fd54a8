"""The report of a run, one self-contained HTML page: scores in, a document out."""
