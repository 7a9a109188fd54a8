"""Language models behind one method, and the wrappers that make calls safe and cheap."""
