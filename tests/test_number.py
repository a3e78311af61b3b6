"""Numbers that remember: what they are worth, what they write, and where they refuse to forget."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rankmetrics_nb.number import Number, evaluate_text, function, number, sum_of, worth


def n(value):
    return Number(value)


WRITTEN = {
    "1/1 + 2/3": n(1) / n(1) + n(2) / n(3),
    "(1/1 + 2/3)/2": (n(1) / n(1) + n(2) / n(3)) / n(2),
    "(2**3 - 1)/log2(1 + 1)": (2 ** n(3) - 1) / np.log2(n(1) + 1),
    "1 - (2 - 3)": 1 - (n(2) - 3),
    "1 - 2 - 3": n(1) - 2 - 3,
    "2/(3/4)": n(2) / (n(3) / 4),
    "2/3/4": n(2) / 3 / 4,
    "2/(3*4)": n(2) / (n(3) * 4),
    "2*(3 + 4)": n(2) * (n(3) + 4),
    "(1 + 2)**2": (n(1) + 2) ** 2,
    "(2**3)**2": (n(2) ** 3) ** 2,
    "2**(3**2)": n(2) ** (n(3) ** 2),
    "-2*3": -(n(2) * 3),
    "1 - 2*3": 1 - n(2) * 3,
    "(-1)**2": n(-1) ** 2,
    "0.5*2": n(0.5) * 2,
    "min(2, 3, 4)": function("min", function("min", n(2), n(3)), n(4)),
    "max(1, min(2, 3))": function("max", n(1), function("min", n(2), n(3))),
    "sqrt(2) + exp(1) + log(3)": n(2).sqrt() + n(1).exp() + n(3).log(),
    "3": n(3),
    "0.1": n(0.1),
}
VALUES = {"1 - 2 - 3": -4, "1 - (2 - 3)": 2, "2/(3/4)": 8 / 3, "2/3/4": 1 / 6, "(2**3)**2": 64, "2**(3**2)": 512, "(-1)**2": 1, "(1/1 + 2/3)/2": 5 / 6}


@pytest.mark.parametrize("text", WRITTEN)
def test_the_text_is_what_was_computed(text):
    made = WRITTEN[text]
    assert made.text == repr(made) == text
    assert evaluate_text(text) == made.value
    assert made.value == pytest.approx(VALUES.get(text, made.value))


def test_nobody_writes_plus_nothing_or_times_one():
    assert (n(2) + 0).text == (0 + n(2)).text == (n(2) * 1).text == (1 * n(2)).text == "2"
    assert (n(0) + 2).text == (n(1) * 2).text == "2"
    assert (n(2) - 1 - (n(1) - 1)).value == 1


def test_sums():
    assert (sum_of([]).text, sum_of([n(2)]).text, sum_of([n(1), n(2), n(3)]).text) == ("0", "2", "1 + 2 + 3")
    assert sum_of([n(1)] * 4).text == "4", "ones are counted"
    assert sum_of([n(2)] * 4).text == "4*2", "equal numbers are multiplied"
    assert (sum_of([n(1)] * 3) / 5).text == "3/5" and (sum_of([n(2)] * 3) / 5).text == "3*2/5"
    assert (1 - sum_of([n(1), n(2)])).text == "1 - (1 + 2)"
    assert sum_of([n(0.1)] * 3).value == 0.1 + 0.1 + 0.1, "added from left to right"


LATEX = {
    r"\frac{1}{2}": n(1) / 2,
    r"\frac{\frac{1}{1} + \frac{2}{3}}{2}": (n(1) / n(1) + n(2) / n(3)) / 2,
    r"\frac{{2}^{3} - 1}{\log_2\left(1 + 1\right)}": (2 ** n(3) - 1) / np.log2(n(1) + 1),
    r"2 \cdot \left(1 + 2\right)": n(2) * (n(1) + 2),
    r"\sqrt{2}": n(2).sqrt(),
    r"\ln\left(2\right) + \exp\left(1\right)": n(2).log() + n(1).exp(),
    r"\min\left(2, 3\right)": function("min", n(2), n(3)),
    r"\max\left(2, 3\right)": function("max", n(2), n(3)),
    r"3 \cdot 2": sum_of([n(2)] * 3),
    r"{\left(1 + 2\right)}^{2}": (n(1) + 2) ** 2,
    r"1 - \left(2 + 3\right)": 1 - (n(2) + 3),
    r"0.5": n(0.5),
}


@pytest.mark.parametrize("latex", LATEX)
def test_latex(latex):
    assert LATEX[latex].latex == latex


def test_latex_of_a_negative_number_keeps_its_parentheses():
    assert (n(2) - n(-3)).latex == r"2 - \left(-3\right)"
    assert (n(-1) ** 2).latex == r"{\left(-1\right)}^{2}"


@pytest.mark.parametrize("value", [1, -1, 0.5, 1e-300, 1e300, 1e16, -2.5e-7, 123456789.123456789, 2**53 + 0.0, math.inf, -math.inf])
def test_a_plain_number_reads_back_exactly(value):
    assert evaluate_text(n(value).text) == value
    assert evaluate_text((1 - n(value)).text) == 1 - value
    assert evaluate_text((n(2) * n(value)).text) == 2 * value


def test_nan_reads_back():
    assert math.isnan(evaluate_text(n(math.nan).text)) and math.isnan(evaluate_text((n(math.nan) / 2).text))


LEAVES = st.integers(-20, 20).map(float) | st.floats(-100, 100).filter(lambda x: x == 0 or abs(x) > 1e-3)


def combined(children):
    """Two numbers put together, or one put through a function."""
    pair = st.tuples(st.sampled_from("+-*/<>"), children, children)
    one = st.tuples(st.sampled_from(["neg", "square", "sqrt", "log2", "three"]), children)
    return pair | one


def made(tree):
    """A Number from a drawn tree, or None where a value is out of reach."""
    if not isinstance(tree, tuple):
        return Number(tree)
    op, *parts = tree[0], *map(made, tree[1:])
    if any(p is None for p in parts):
        return None
    a = parts[0]
    if len(parts) == 2:
        b = parts[1]
        if op == "/" and abs(b.value) < 1e-3:
            return None
        return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "<": lambda: function("min", a, b), ">": lambda: function("max", a, b)}[op]()
    if op in ("sqrt", "log2") and a.value <= 1e-3 or abs(a.value) > 1e12:
        return None
    return {"neg": lambda: -a, "square": lambda: a**2, "sqrt": a.sqrt, "log2": a.log2, "three": lambda: sum_of([a, a, a])}[op]()


@settings(max_examples=150)
@given(st.recursive(LEAVES, combined, max_leaves=12))
def test_any_calculation_reads_back(tree):
    calculation = made(tree)
    assume(calculation is not None and abs(calculation.value) < 1e12)
    scale = max([1.0, *(abs(x) for x in values_inside(calculation))])
    assert evaluate_text(calculation.text) == pytest.approx(calculation.value, abs=1e-13 * scale, rel=1e-12)
    assert calculation.latex.count("{") == calculation.latex.count("}")


def values_inside(calculation):
    """The value of a calculation and of all its parts."""
    return [calculation.value, *(v for part in calculation.parts for v in values_inside(part))]


def test_arrays():
    array = np.array([n(1), n(2)], object)
    assert [x.text for x in n(3) / array] == ["3/1", "3/2"], "an operator spreads over an array"
    assert [x.text for x in 1 + array * np.array([n(5), n(7)], object)] == ["1 + 5", "1 + 2*7"]
    assert [x.text for x in np.log2(array + 1)] == ["log2(1 + 1)", "log2(2 + 1)"]
    assert [x.text for x in array ** n(2)] == ["1**2", "2**2"] and [x.text for x in n(2) - array] == ["2 - 1", "2 - 2"]


def test_forgetting_is_refused():
    with pytest.raises(TypeError):
        float(n(1))
    with pytest.raises(TypeError):
        np.array([n(1)], object).astype(float)


def test_comparisons_are_plain():
    assert (n(1) < 2) is True and (n(1) >= n(2)) is False and n(2) == 2 and n(2) != 3 and n(3) > 1 and n(1) <= 1
    assert bool(n(0)) is False and bool(n(0.1)) is True
    assert hash(n(2)) == hash(n(2)) and {n(2)} == {n(2)}


def test_number_and_worth():
    two = n(2)
    assert number(two) is two and number(2).text == "2" and worth(two) == worth(2) == 2.0


@pytest.mark.parametrize("text", ["__import__('os')", "open('x')", "().__class__", "print(1)"])
def test_arithmetic_is_no_program(text):
    with pytest.raises((NameError, TypeError, ValueError, SyntaxError)):
        evaluate_text(text)


def test_the_text_needs_nothing_of_ours():
    """The hand calculation is an expression for any Python with `from math import ...`."""
    from rankmetrics_nb import nDCG

    text = nDCG.explain([3, None, 2, 0, 1], unretrieved=[2]).arithmetic
    done = subprocess.run([sys.executable, "-c", f"from math import log2; print({text})"], capture_output=True, text=True)
    assert float(done.stdout) == pytest.approx(nDCG([3, None, 2, 0, 1], unretrieved=[2]), abs=1e-12)
