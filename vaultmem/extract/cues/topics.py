"""Topics and the words that speak for them; the slugs are those of category notes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

_TOPIC_WORDS = {
    "health": "doctor dentist hospital allergic allergy allergies medication medicine therapy "
    "therapist sick illness injury hurt surgery diabetes asthma vegan vegetarian diagnosed health "
    "pain sleep anxiety depression blood vaccine pregnant disease migraine gym exercise workout "
    "lactose gluten intolerant insulin wellness self-care diet",
    "food": "food eat eats eating cook cooks cooking recipe dinner lunch breakfast restaurant "
    "coffee tea wine beer pizza bread cheese meat fish peanut peanuts vegetable fruit bake baking "
    "cake dessert chocolate meal kitchen spicy sushi pasta drink drinks snack",
    "travel": "travel travelled traveled travelling traveling trip flight fly flying airport hotel "
    "passport visa vacation holiday train itinerary abroad luggage camping roadtrip tour beach "
    "cruise visited visiting conference",
    "people": "wife husband partner girlfriend boyfriend mother mom mum father dad parents sister "
    "brother son daughter kids children child family friend friends colleague grandmother grandma "
    "grandfather uncle aunt cousin married wedding birthday fiancé fiancée nephew niece neighbor "
    "neighbour roommate dog cat puppy pet kitten adoption",
    "home": "home house apartment flat rent landlord garden furniture kitchen bedroom moved "
    "mortgage plumber heating neighbourhood neighborhood live lives renovation roof lease balcony",
    "work": "work works working job boss manager office career salary company employer employed "
    "interview promotion colleague hired fired profession team meeting client customer freelance "
    "business startup resume intern shift engineer nurse teacher",
    "money": "money budget bank loan tax taxes invoice salary price cost costs pay paid insurance "
    "invest investment savings debt credit mortgage pension eur usd euro euros dollars stock "
    "fundraiser subscription expense expenses",
    "learning": "learn learning learned study studying studied course school university college "
    "degree exam class lesson thesis book books reading lecture tutorial phd student certificate "
    "training workshop language languages",
    "hobbies": "hobby hobbies hiking hike running swim swimming climbing cycling bike "
    "painting paint painted guitar piano violin music concert game games gaming chess football "
    "basketball tennis photography photo film movie movies series art pottery dance dancing yoga "
    "marathon race sing band festival museum gardening knitting writing poetry novel",
    "tools": "editor vim neovim emacs vscode shell terminal git github obsidian python rust "
    "javascript typescript docker linux macos windows laptop keyboard tabs spaces indentation "
    "theme browser app plugin cli tool tools formatter linter dark-mode imports",
    "projects": "project database api server deploy deployment release repo repository backend "
    "frontend service architecture schema migration bug feature sprint roadmap monorepo module "
    "postgresql postgres sqlite mysql redis kubernetes ci pipeline index cache queue endpoint",
}

TOPICS = (*_TOPIC_WORDS, "preferences", "general")
"""Slugs in the order that settles ties."""


@lru_cache(maxsize=1)
def topics_by_word() -> Mapping[str, tuple[str, ...]]:
    """The topics that each word speaks for, in the order of TOPICS."""
    found: dict[str, tuple[str, ...]] = {}
    for topic, listed in _TOPIC_WORDS.items():
        for word in listed.split():
            found[word] = (*found.get(word, ()), topic)
    return found
