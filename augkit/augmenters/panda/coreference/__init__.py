"""Who is who: which references of a text are to one person."""
