"""PANDA-style perturbation: the same text about somebody of another gender, race or age.

``method`` draws what is changed (``sampling``, ``exchange``) and has it changed by one of the
``perturbers``: ``rules``, ``llm`` or ``seq2seq``. The rules ask a ``scene`` about its text:

- ``axes``: how gender, race and age are changed, and bodies, ships and new names minded;
- ``who``: which references are to the same person;
- ``senses``: whether a word speaks of a person at all, or of a thing, a town, a film, nobody;
- ``grammar``: cases of pronouns, and verbs that agree;
- ``words``: what a word can be, whatever the text.

The words that rules look for are data: ``augkit/lexicons/data/cues``.
"""
