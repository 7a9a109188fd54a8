"""Cross-fitted ensembles: classifiers that explain and judge rows they were not trained on."""
