"""Classifiers under study, behind ``protocols.Classifier``."""
