"""The accuracy of a classifier where a feature contradicts the label."""

import numpy as np

from augkit.grammars.features.feature_groups import MinorityGroup, minority_groups
from augkit.grammars.features.subtrees import incidence


def test_accuracy_on_supporting_rows_and_counter_examples():
    """Supporting rows have the label of the feature, counter-examples another."""
    matrix = incidence(np.array([0, 1, 2]), np.array([0, 0, 0]), (4, 2))
    found = minority_groups(
        matrix, np.array([1, 0]), np.array([1, 1, 0, 0]), np.array([1, 0, 1, 0])
    )
    assert found == [MinorityGroup(2, 0.5, 1, 0.0), MinorityGroup(0, None, 0, None)]
