"""Robust training: JTT, DRiFt, product of experts, reweighting, CLEVER."""
