"""Judging labels: does a text that was written for a label have it?"""
