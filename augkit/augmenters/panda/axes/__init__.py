"""The rules of each axis: how a person's gender, race or age is changed."""
