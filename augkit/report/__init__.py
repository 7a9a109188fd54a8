"""Tables and pages: scores in, documents out, nothing computed."""
