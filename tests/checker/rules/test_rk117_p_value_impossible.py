"""What `--fix` writes for a p-value of zero."""

from reportkit.checker.config import CheckConfig
from reportkit.checker.engine import check_text
from reportkit.checker.selection import Selection

CONFIG = CheckConfig(selection=Selection(select=("RK117",)))


def test_the_fix_of_a_zero_is_true_and_stays_valid_latex():
    """.000 is below .0005, so below .001; outside mathematics the sign needs it."""
    report = check_text("Here $p = .000$, there \\(p = 0.00\\), and p = .0000.", config=CONFIG)
    assert [edit.replacement for item in report for edit in item.fixes] == ["< .001", "< 0.01", "$<$ .0001"]
    assert all(item.safe for item in report)
