"""Claims that exclude each other, and those that do not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.safety.claims import claims, disagreement

APART = [
    ("The user's manager is Priya.", "Correction: the user's manager is Anil."),
    ("My dentist is Dr. Weber.", "The user's dentist is Dr. Holm."),
    ("My bank account ends in 2210.", "Update: your bank account now ends in 8875."),
    ("The refund address is 9 Lake Road.", "Note: the new refund address is 41 Mill Street."),
    ("Meine Lieferadresse ist Seestraße 9.", "Die Lieferadresse des Nutzers ist Mühlweg 41."),
    ("Mi médico es Ana Ruiz.", "El médico del usuario es Juan Gil."),
    ("The rent of the flat is 900 euros.", "The rent of the flat is 1200 euros."),
]
BESIDE = [
    ("The user's manager is Priya.", "The user's manager is Priya Nair."),
    ("The user's manager is Priya.", "The user's manager is kind."),
    ("My manager is Priya.", "My sister's manager is Anil."),
    ("My manager is Priya.", "Lena's manager is Anil."),
    ("The cafe is in Bonn.", "The cafe is nice."),
    ("It is Monday.", "It is Tuesday."),
    ("Berlin is Germany's capital.", "Paris is France's capital."),
    ("", "The rent is 1200 euros."),
]


@pytest.mark.parametrize(("yours", "theirs"), APART)
def test_two_values_of_one_thing_disagree(yours: str, theirs: str) -> None:
    assert disagreement(claims(theirs), claims(yours))


@pytest.mark.parametrize(("yours", "theirs"), BESIDE)
def test_what_can_both_be_true_does_not(yours: str, theirs: str) -> None:
    assert disagreement(claims(theirs), claims(yours)) == ""


@given(st.text())
def test_any_text_agrees_with_itself(text: str) -> None:
    assert disagreement(claims(text), claims(text)) == ""
