"""The values, interfaces, errors and settings that every other package builds on."""
