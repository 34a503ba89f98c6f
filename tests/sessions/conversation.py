"""A conversation of 60 turns: a person and an assistant plan and build a booking tool.

Facts change their values, some twice; rules without exception are set; one turn brings code, two
bring a document of 2,000 words and its next version; the rest is talk that must leave no trace in
base truth. `FACTS` and `HARD` are what holds after the last word, as a reader of it would say.
"""

from __future__ import annotations

from typing import NamedTuple


class Spoken(NamedTuple):
    """One turn, and the diff that a good summariser reads from it."""

    user: str
    assistant: str = "Noted."
    add: tuple[str, ...] = ()
    update: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    hard: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    done: tuple[str, ...] = ()


CODE = '''def free_slots(day, booked):
    """Hours of a day that nobody has booked."""
    taken = {slot.hour for slot in booked}

    return [hour for hour in range(8, 18)  if hour not in taken]
'''

_PARAGRAPH = (
    "Paragraph {n} of the booking guide explains how a visitor picks a room, reads the price for "
    "each hour, leaves a name and an address, and gets a letter that confirms what was chosen; it "
    "also says what happens when two visitors ask for the same hour and who of them is told first."
)
DOCUMENT = "\n\n".join(_PARAGRAPH.format(n=n) for n in range(1, 45)) + "\n"
EDITED = DOCUMENT.replace("Paragraph 17 of the booking guide", "Part 17 of the guide for guests")


def _talk(user: str, assistant: str = "Sure, tell me more.") -> Spoken:
    return Spoken(user, assistant)


TURNS: tuple[Spoken, ...] = (
    Spoken("Hello! My name is Ann.", "Hello Ann.", add=("Name: Ann",)),
    Spoken("I live in Lisbon.", add=("Home: Lisbon",)),
    Spoken(
        f"Can you look at this?\n\n```python\n{CODE}```\n\nIt is the start of a tool.",
        "It reads well. One space too many before `if`.",
    ),
    Spoken("The project is called Heron.", add=("Project: Heron",)),
    Spoken("Never use tabs in this repo.", add=("Never use tabs in this repo",),
           hard=("Never use tabs in this repo",)),
    _talk("What would you do first?", "I would write down what a booking is."),
    Spoken("We use Postgres for the project.", add=("Database: Postgres",)),
    Spoken("The budget is 4,000 euros.", add=("Budget: 4,000 euros",)),
    _talk("Is that enough?", "For a small tool it is."),
    Spoken("The deadline is 5 May.", add=("Deadline: 5 May",)),
    Spoken("I prefer short answers.", add=("Answers: short",)),
    _talk("Thanks, that helps!", "You are welcome."),
    Spoken("You must never mention prices to a client.",
           add=("You must never mention prices to a client",),
           hard=("You must never mention prices to a client",)),
    Spoken("Let's go with FastAPI for the server.", add=("Server: FastAPI",)),
    Spoken("No, not FastAPI, use Starlette.", update=("Server: Starlette",)),
    _talk("How do rooms get their numbers?", "By floor, then by door."),
    Spoken("The opening hour is 8.", add=("Opening hour: 8",)),
    Spoken("The port should be 8080.", add=("Port: 8080",)),
    Spoken(DOCUMENT, "I have read the guide."),
    Spoken("Actually, let's use SQLite instead.", update=("Database: SQLite",)),
    _talk("Does that change a lot?", "Two files."),
    Spoken("I need to write the release notes by Friday.",
           add=("Write the release notes by Friday",),
           tasks=("Write the release notes by Friday",)),
    Spoken("I have to call the printer on Monday.", add=("Call the printer on Monday",),
           tasks=("Call the printer on Monday",)),
    Spoken("The budget is 5,000 euros now.", update=("Budget: 5,000 euros",)),
    Spoken(EDITED, "I see the one change in the guide."),
    _talk("Good eye.", "Thank you."),
    Spoken("I use Vim.", add=("Editor: Vim",)),
    Spoken("The deadline moved to 9 May.", update=("Deadline: 9 May",)),
    _talk("Why do bookings end at six?", "Because the house closes then."),
    Spoken("Always answer in British English.", add=("Always answer in British English",),
           hard=("Always answer in British English",)),
    Spoken("Our server runs Debian 12.", add=("Operating system: Debian 12",)),
    _talk("Would you cache the list of rooms?", "Not before it is slow."),
    Spoken("I finished the release notes.", done=("Write the release notes by Friday",)),
    Spoken("I no longer use Vim.", remove=("Editor: Vim",)),
    _talk("Do we need a queue?", "For letters, later."),
    Spoken("The contact is Marta Reis.", add=("Contact: Marta Reis",)),
    Spoken("I moved to Porto.", update=("Home: Porto",)),
    _talk("It rains a lot there.", "So they say."),
    Spoken("The max retries should be 5.", add=("Max retries: 5",)),
    Spoken("The max retries should be 7.", update=("Max retries: 7",)),
    _talk("Great, thanks.", "Any time."),
    Spoken("Our server runs Debian 13 now.", update=("Operating system: Debian 13",)),
    _talk("What is left for this week?", "The call, and the tests."),
    Spoken("Forget the budget, it is open now.", remove=("Budget: 5,000 euros",)),
    Spoken("The opening hour is 9.", update=("Opening hour: 9",)),
    _talk("Can visitors cancel?", "Until the evening before."),
    Spoken("My sister Clara tests the tool.", add=("Tester: Clara",)),
    _talk("She found nothing so far.", "Good."),
    Spoken("The port should be 9090.", update=("Port: 9090",)),
    _talk("Should letters be plain text?", "Plain text, and short."),
    Spoken("I am allergic to hazelnuts.", add=("Allergy: hazelnuts",)),
    _talk("No cake for the launch, then.", "Or one without nuts."),
    Spoken("We meet on Tuesdays.", add=("Meeting: Tuesdays",)),
    _talk("Is a log needed?", "One line a booking."),
    Spoken("The contact is Rui Costa.", update=("Contact: Rui Costa",)),
    _talk("He knows the house well.", "Then ask him about the doors."),
    Spoken("Don't send anything to the client without asking me.",
           add=("Don't send anything to the client without asking me",),
           hard=("Don't send anything to the client without asking me",)),
    _talk("How long will the tests take?", "An afternoon."),
    Spoken("The tests run in 40 seconds.", add=("Tests: 40 seconds",)),
    _talk("That is all for today.", "See you tomorrow."),
)  # fmt: skip

HARD = {
    "Never use tabs in this repo",
    "You must never mention prices to a client",
    "Always answer in British English",
    "Don't send anything to the client without asking me",
}
FACTS = {
    "Name: Ann",
    "Home: Porto",
    "Project: Heron",
    "Database: SQLite",
    "Deadline: 9 May",
    "Answers: short",
    "Server: Starlette",
    "Opening hour: 9",
    "Port: 9090",
    "Operating system: Debian 13",
    "Contact: Rui Costa",
    "Max retries: 7",
    "Tester: Clara",
    "Allergy: hazelnuts",
    "Meeting: Tuesdays",
    "Tests: 40 seconds",
}
OPEN_TASK, DONE_TASK = "Call the printer on Monday", "Write the release notes by Friday"
assert len(TURNS) == 60
