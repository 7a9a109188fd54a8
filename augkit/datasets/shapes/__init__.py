"""Columns that are more than a text: spans, answers, token tags, tokens, chats."""
