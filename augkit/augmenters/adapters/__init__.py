"""Steps in the shapes of other libraries: functions, tables, estimators, plain texts."""
