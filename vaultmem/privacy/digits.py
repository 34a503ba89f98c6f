"""Check digits of card, account and national numbers; all take digits and capitals only."""

from __future__ import annotations

# First digits of the card schemes in use; a random number passes Luhn one time in ten.
_CARDS = ("4", "51", "52", "53", "54", "55", "34", "37", "6011", "65", "35", "30", "36", "38", "62")
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_ODD_FISCALE = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22)
_ODD_FISCALE_REST = (25, 24, 23)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


def is_card(digits: str) -> bool:
    """13 to 19 digits of a known scheme (2221 to 2720 is Mastercard too) that pass Luhn."""
    known = digits.startswith(_CARDS) or 2221 <= int(digits[:4]) <= 2720
    return known and len(set(digits)) > 1 and luhn(digits)


def is_iban(text: str) -> bool:
    """ISO 13616: the number modulo 97 is 1 when the first four characters stand last."""
    moved = text[4:] + text[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1


def is_dni(text: str) -> bool:
    """Spanish DNI and NIE: the letter is the number modulo 23."""
    number = text[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return number.isdigit() and _DNI_LETTERS[int(number) % 23] == text[-1]


def is_nir(text: str) -> bool:
    """French NIR: the key is 97 less the number modulo 97; Corsica counts as 19 and 18."""
    number = text[:13].replace("2A", "19").replace("2B", "18")
    month = int(text[3:5])
    is_month = 1 <= month <= 12 or month in range(20, 43) or month >= 50
    return number.isdigit() and is_month and 97 - int(number) % 97 == int(text[13:])


def is_bsn(digits: str) -> bool:
    """Dutch BSN: weights 9 to 2 and -1 sum to a multiple of 11."""
    weights = (9, 8, 7, 6, 5, 4, 3, 2, -1)
    total = sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=True))
    return total % 11 == 0 and int(digits) > 0


def is_pesel(digits: str) -> bool:
    """Polish PESEL: weights 1, 3, 7, 9 in turn."""
    total = sum(int(digit) * (1, 3, 7, 9)[place % 4] for place, digit in enumerate(digits[:10]))
    return (10 - total % 10) % 10 == int(digits[10])


def is_german_tax_id(digits: str) -> bool:
    """German IdNr: no leading 0, one digit twice or three times, and ISO 7064 MOD 11,10."""
    counts = sorted((digits[:10].count(digit) for digit in set(digits[:10])), reverse=True)
    if digits[0] == "0" or counts[0] not in (2, 3) or counts[1] > 1:
        return False
    product = 10
    for digit in digits[:10]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(digits[10])


def is_codice_fiscale(text: str) -> bool:
    """Italian codice fiscale: the last letter is a weighted sum modulo 26."""
    weights = (*_ODD_FISCALE, *_ODD_FISCALE_REST)
    total = 0
    for place, character in enumerate(text[:15]):
        value = int(character) if character.isdigit() else ord(character) - ord("A")
        total += value if place % 2 else weights[value]
    return chr(ord("A") + total % 26) == text[15]
