"""PANDA (Qian et al. 2022): the same text about somebody of another gender, race or age.

``method`` draws what is changed, by Algorithm 1 or for ``fairtuning``, and has it
changed by one of the ``perturbers``: rules, an LLM or a sequence-to-sequence model.
The ``rules`` read a text as a ``document``, know what is ``left_alone``, group the mentions of
``persons``, and write the words of the target by axis.
"""
