"""How the rows of a run are processed: processes, threads, Ray."""
