"""What is said where the pairing is not used."""

from reportkit.significance.cautions.pairing_lost import pairing_findings, unpaired_details


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
