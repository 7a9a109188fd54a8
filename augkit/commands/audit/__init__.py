"""``augkit audit``: does a decision change when only the gender, race or age of a person does?"""
