"""What is said where only numbers of right answers are known."""

from reportkit.significance.cautions.pairing_unknown import margin_details, pairing_unknown


def test_nothing_is_said_twice(proportions):
    """9,500 against 7,000 of 11,873: whatever the pairing, p is below .001; and it is never 0."""
    sample = proportions(9500, 11873, 7000, 11873)
    (finding,) = pairing_unknown(sample, None)
    assert finding.message.endswith("the exact McNemar p-value for a better is, whatever the pairing was, below .001.")
    details = margin_details(sample, None)
    for side in details.sides:
        assert 0 < side.mcnemar_p_value_low <= side.mcnemar_p_value_high <= 1


def test_different_numbers_of_instances(proportions):
    """No McNemar p-value is possible, and both numbers are said."""
    sample = proportions(30, 40, 20, 50)
    assert all(side.mcnemar_p_value_low is None for side in margin_details(sample, None).sides)
    (finding,) = pairing_unknown(sample, None)
    assert "40 and of 50 instances" in finding.message
