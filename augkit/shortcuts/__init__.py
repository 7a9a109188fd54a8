"""Finders of shortcuts: token statistics, attribution, grammars, RAZOR's definition.

A finder is a ``RegisteredFinder`` of ``augkit.core.protocols``, registered under the entry point
group ``augkit.finders``.
"""
