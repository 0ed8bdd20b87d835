"""What is said where a pairing is not used, or not known."""

from __future__ import annotations

from reportkit.significance.cautions.pairing import margin_details, pairing_findings, pairing_unknown, unpaired_details


def test_common_instances_are_a_warning(unpaired):
    """With their number and the way back."""
    (finding,) = pairing_findings(unpaired([1, 0], [0, 1], n_common=2), None)
    assert (finding.code, finding.severity) == ("pairing-lost", "warning")
    assert "2 instances in common" in finding.message
    assert "pairing='unpaired'" in finding.remedy


def test_different_instances_are_said(unpaired):
    """As something to know, with the assumption that remains."""
    sample = unpaired([1, 0], [0, 1, 1])
    (finding,) = pairing_findings(sample, None)
    assert (finding.code, finding.severity) == ("different-instances", "info")
    assert unpaired_details(sample, None).as_dict() == {
        "n_common": 0,
        "a": {"n_instances": 2},
        "b": {"n_instances": 3},
    }


def test_nothing_is_said_twice(proportions):
    """9,500 against 7,000 of 11,873: whatever the pairing, p is below .001; and it is never 0."""
    sample = proportions(9500, 11873, 7000, 11873)
    (finding,) = pairing_unknown(sample, None)
    said = "the exact McNemar p-value of the claim that a is better is below .001, depending on the pairing."
    assert finding.message.endswith(said)
    details = margin_details(sample, None)
    for side in details.sides:
        assert 0 < side.mcnemar_p_value_low <= side.mcnemar_p_value_high <= 1


def test_different_numbers_of_instances(proportions):
    """No McNemar p-value is possible, and both numbers are said."""
    sample = proportions(30, 40, 20, 50)
    assert all(side.mcnemar_p_value_low is None for side in margin_details(sample, None).sides)
    (finding,) = pairing_unknown(sample, None)
    assert "40 and of 50 instances" in finding.message
