"""Chats, mail and notes of many people, made up: what a vault holds beside what is asked.

Everything is drawn from word lists with one seed, so that each run gives the same texts. The
themes are those that people talk of (family, sport, pets, work, travel ...), so the texts hold the
words of any question about a life; only who, what and when differ. Some people bear common names,
as namesakes do.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

_NAMES = """
    Aaron Abigail Adrian Agnes Alan Alice Amber Amelia Andrew Angela Anita Anna Anthony Arthur Beth
    Bianca Boris Brenda Brian Bruno Carla Carmen Cecilia Charles Chloe Claire Clara Colin Connor
    Daniel Daria David Deborah Derek Diana Diego Dorothy Douglas Edith Edward Elena Elias Ella Emil
    Emma Enzo Erik Esther Eva Felix Fiona Frank Gabriel George Georgia Gloria Grace Graham Hannah
    Harold Harriet Hassan Hector Heidi Helen Henry Hugo Ian Ines Irene Isaac Ivan Ivy Jack James
    Jasmine Jason Joel John Jonas Joseph Judith Julia Karen Karl Kevin Lars Laura Leo Liam Lily
    Linda Lucas Lucy Luke Mabel Marcus Margaret Maria Martin Matthew Miriam Mona Nadia Nathan Nina
    Noah Nora Olga Oliver Omar Oscar Paul Paula Peter Philip Priya Rachel Ralph Ravi Rita Robert
    Rosa Ruth Samuel Sarah Simon Sofia Stella Steven Susan Tessa Theo Tim Ursula Vera Victor Walter
    Wendy Yusuf Zoe
"""
PEOPLE = tuple(_NAMES.split())

# A theme: things, what is done with them, where, and how it is.
_THEMES = """
family: mother,father,sister,brother,kids,daughter,son,grandma,cousin,husband,wife,parents,aunt |
visited,called,hugged,missed,surprised,cooked for,thanked,drove home | the family home,the
kitchen,the reunion,the wedding,the birthday party,grandma's garden,the beach house |
proud,grateful,close,tired,supported,blessed,emotional;
pets: dog,puppy,cat,kitten,turtle,parrot,hamster,rabbit,shelter dog,goldfish,guinea pig,stray cat
| adopted,walked,fed,named,trained,brushed,took to the vet,played with | the dog park,the animal
shelter,the backyard,the vet,the living room,the river bank |
playful,gentle,stubborn,loyal,cute,lazy,curious;
painting: painting,sunset,portrait,canvas,sketch,mural,landscape,watercolor,self-portrait,abstract
piece,pottery bowl,clay mug | painted,drew,framed,finished,sold,exhibited,glazed,gave away | the
art class,the studio,the gallery,the art show,the pottery workshop,the museum |
calm,creative,colorful,vivid,inspired,expressive,patient;
music: guitar,piano,violin,concert,song,album,band,playlist,drum kit,clarinet,choir,festival |
played,practised,listened to,recorded,heard live,wrote,tuned,bought tickets for | the concert
hall,the music store,the summer festival,the bar downtown,the rehearsal room |
moving,catchy,loud,classical,joyful,nostalgic;
books: novel,book,fantasy series,biography,poem,mystery,trilogy,bookshelf,journal,short
story,memoir | read,finished,borrowed,recommended,wrote,lent,started,reviewed | the library,the
bookstore,the book club,the train,the reading corner |
gripping,thoughtful,moving,long,magical,uplifting;
sport: basketball,soccer,marathon,yoga class,tennis match,season,game,team,workout,kickboxing
class,surfing lesson,race | won,lost,trained for,joined,signed up for,played,coached,watched | the
gym,the stadium,the pool,the court,the park,the beach,the charity run |
intense,exhausting,healthy,competitive,energizing,painful;
travel: trip,road trip,flight,vacation,passport,hike,camping trip,hotel,tour,museum visit,train
ride,map | booked,planned,cancelled,enjoyed,took,photographed,packed for,dreamed of |
Paris,Rome,Tokyo,Barcelona,New York,Chicago,the mountains,the coast,Seattle,London,the national
park,Costa Rica,Ireland | breathtaking,rainy,cheap,unforgettable,scenic,peaceful;
work:
job,project,boss,interview,promotion,meeting,deadline,office,startup,client,contract,internship,career
change | finished,lost,applied for,presented,quit,started,negotiated,postponed | the office,the
bank,the studio downtown,the conference,the co-working space,the networking event |
stressful,rewarding,challenging,promising,boring,demanding;
study: degree,course,exam,thesis,school,class,scholarship,counseling
program,workshop,certificate,lecture | passed,failed,enrolled in,studied
for,taught,skipped,graduated from | the university,college,the campus,the library,evening
school,the online course | difficult,interesting,intensive,useful,theoretical;
food: cake,pasta,soup,salad,pizza,recipe,ice cream,bread,curry,smoothie,roasted
vegetables,chocolate pie,coconut milk | baked,cooked,tried,ordered,burned,shared,brought,learned
to make | the restaurant,the bakery,the cooking class,the farmers market,the cafe,the picnic |
delicious,spicy,vegan,dairy-free,sweet,healthy,homemade;
games: video game,board game,chess set,console,tournament,controller,puzzle,card game,strategy
game,role-playing game | won,played,bought,streamed,finished,lost,designed,preordered | the
tournament,the convention,the gaming night,the arcade,the living room |
competitive,addictive,cooperative,clever,relaxing;
movies: movie,film,screenplay,script,series,documentary,trilogy,comedy,drama,superhero
movie,trailer | watched,rewatched,wrote,reviewed,filmed,recommended,submitted,acted in | the
cinema,the film festival,the couch,the theater,the film contest |
funny,dark,romantic,thrilling,underrated;
health: doctor,surgery,injury,check-up,diet,medicine,sleep,ankle,back
pain,therapy,meditation,blood pressure | saw,recovered from,treated,avoided,changed,worried
about,talked about | the hospital,the clinic,the pharmacy,the physiotherapist,the support group |
scary,slow,better,worse,stable,helpful;
volunteering: charity,fundraiser,homeless shelter,food bank,campaign,donation,community
event,mentoring program,support group,youth center,adoption agency,pride parade,military veterans
| volunteered at,organized,donated to,supported,attended,spoke at,raised money for | the community
center,the church,the shelter,city hall,the school,the park |
rewarding,humbling,inclusive,moving,busy,important;
home:
house,apartment,kitchen,garden,flowers,roses,mortgage,neighborhood,roommate,bathroom,couch,bookcase
| moved into,renovated,rented,sold,painted,planted,cleaned,decorated | the suburbs,downtown,the
old street,the flea market,the hardware store | cozy,bright,noisy,spacious,expensive,charming;
money: budget,savings,loan,car,engine,insurance,bill,tax return,investment,online store,clothing
store,dance studio,fashion business | paid,saved for,repaired,opened,closed,invested
in,advertised,compared | the bank,the garage,the mall,the market,the shop,the car show |
expensive,risky,profitable,reliable,vintage,affordable;
friends: friend,neighbor,colleague,best friend,boyfriend,girlfriend,mentor,old
classmate,teammate,roommate | met,invited,helped,forgave,lost touch with,hosted,texted,celebrated
with | the party,the bar,the picnic,the wedding,the cabin,the lake,the barbecue |
honest,funny,caring,distant,encouraging,loving;
celebration: birthday,anniversary,Christmas,Thanksgiving,graduation,baby
shower,necklace,gift,card,photo album,candle,parade,flag |
celebrated,organized,received,wrapped,decorated for,forgot,remembered | home,the restaurant,the
church,the beach,the family home,the rooftop | special,touching,festive,loud,meaningful;
nature: sunset,lake,waterfall,forest,trail,stars,meteor shower,campfire,snow,mountain
view,butterfly,beach | saw,photographed,hiked to,camped near,admired,explored,sketched | the
national park,the lake,the desert,the hills,the campsite,the canyon |
peaceful,stunning,wild,quiet,freezing,magical;
writing: blog,poem,article,journal,letter,speech,screenplay,editor,publisher,book,rejection
letter,notebook | wrote,published,edited,posted,sent,rewrote,read aloud | the writers group,the
coffee shop,the open mic,the desk,the writing retreat |
personal,honest,unfinished,powerful,anonymous
"""

# What is said: {who} somebody, {a} {b} things, {did} what was done, {at} where, {is} how, {t} when.
_SAID = """
I {did} the {a} {t}, and it was {is}.|{t} I {did} a {a} at {at}.|We {did} the {a} together with
{who}; so {is}!|My {a} is {is} these days. I think I will go back to {at}.|Have you ever {did} a
{a}?|What do you think of {at}?|{who} {did} the {a} at {at} {t}.|The {a} from {at} reminds me of
my {b}.|I've always wanted a {a}, ever since {who} told me about theirs.|Thanks for asking! The
{b} was {is} and I finally {did} my {a}.|Wow, that sounds {is}! How was the {a}?|That's great,
{who}! I'm glad you {did} it.|I started with the {a} about three years ago, {is} as it was.|It's
important to me to have a {b}, it makes me feel {is}.|{who} gave me a {a} {t}; it means a lot.|I
am planning a {a} next month at {at}.|My {a} and my {b} keep me busy, but it's {is}.|I took a
photo of the {a} at {at}.|The {b} helps me to relax and feel {is}.|We talked about the {a} {t}.
{who} found it {is}.|Guess what: I {did} my first {a}!|I was {is} when {who} {did} the {b}.|No, I
never {did} a {a}, but I love the {b}.|The best thing at {at} was the {a}.
"""
_HEADS = """
Notes on the {a}|{a} at {at}|What {who} said about the {a}|Ideas for {at}|Plan: {a}|Minutes with
{who}|Diary of {t}|List for the {b}
"""
_NOTED = """
{who} {did} the {a} at {at} {t}.|{who} has a {is} {a}, and wants a {b}.|The {a} costs less at
{at}; ask {who} about the {b}.|Remember: {who}'s favorite {a} is {is}.|{who} likes the {b}, but
not the {a}.|{t}: {a}, {b}, then {at}.|{who} and {who2} {did} a {a} {t}.|How long has {who} had
the {a}? Since {at}, they say.|Next: the {a} with {who}, {t}, at {at}.|{who} moved near {at} {t};
the {b} is {is}.|{who2} told me that {who} {did} the {b}.|What {who} does to relax: the {a}, and
the {b}.
"""
_ASKED = """
Can you help me with a plan for my {a}?|What are good ideas for a {is} {a} at {at}?|How do I start
with a {a} when I have only {did} a {b}?|Write a short text about the {a} that I {did} {t}.|Which
{a} would you recommend for {who}?|Explain how a {b} and a {a} differ.
"""
_ANSWERED = """
A {is} {a} begins with the right {b}.|First, think about where: {at} is a common choice.|Many
people who {did} a {a} say that the {b} matters most.|Keep a record of the {a}, so that you see
how {is} it gets.|You could ask {who} to join you at {at}.|If the {b} feels {is}, take a break and
return to the {a} later.|A good budget for the {a} leaves room for a {b}.|Here are some more
ideas: a {a} with friends, a {b} on your own, or a day at {at}.|Set a small goal for each week,
for example one {a}.|Do not worry if the first {a} is not {is}.|In summary, the {a} and the {b}
belong together.|Compare prices before you decide on a {b}.
"""
_TIMES = """
yesterday|last week|last month|two days ago|last Friday|in March|in June|in October|on Sunday|last
summer|in 2022|this morning|over the weekend|on the 14th|a few years ago|last Tuesday
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Something that somebody keeps."""

    title: str
    body: str


class Lives:
    """Draws texts, one after another."""

    def __init__(self, seed: int = 7) -> None:
        self._chance = random.Random(seed)
        self._themes = [_theme(line) for line in " ".join(_THEMES.split()).split(";")]

    def texts(self, passages: int) -> Iterator[Text]:
        """Texts of together about so many passages: mail, notes, and talks with an assistant."""
        left = passages
        while left > 0:
            make = self._chance.choice((self._mail, self._mail, self._notes, self._chat))
            text, size = make()
            left -= size
            yield text

    def _mail(self) -> tuple[Text, int]:
        """Letters between two people: one turn each."""
        who, other = self._chance.sample(PEOPLE, 2)
        when, turns = self._day(), []
        theme = self._theme_of_text()
        for number in range(self._chance.randint(4, 16)):
            speaker = (who, other)[number % 2]
            said = self._sentences(_SAID, theme, self._chance.randint(1, 3))
            turns.append(f"**{speaker}** ({when:%Y-%m-%d %H:%M}): {said}")
            when += timedelta(minutes=self._chance.randint(1, 2_000))
        title = self._filled(self._pick(_HEADS), theme)
        return Text(title=f"{who} and {other}: {title}", body="\n\n".join(turns)), len(turns)

    def _notes(self) -> tuple[Text, int]:
        """Bullets and paragraphs that somebody keeps about others."""
        theme = self._theme_of_text()
        lines = []
        for _ in range(self._chance.randint(3, 10)):
            said = self._sentences(_NOTED, theme, self._chance.randint(1, 4))
            lines.append(f"- {said}" if self._chance.random() < 0.6 else said)
        title = self._filled(self._pick(_HEADS), theme)
        return Text(title=title, body="\n\n".join(lines)), len(lines)

    def _chat(self) -> tuple[Text, int]:
        """A talk with an assistant: short wishes, long answers."""
        when, turns, size = self._day(), [], 0
        for _ in range(self._chance.randint(2, 6)):
            theme = self._theme_of_text()
            asked = self._sentences(_ASKED, theme, 1)
            if self._chance.random() < 0.5:
                asked += " " + self._sentences(_SAID, theme, 1)
            count = self._chance.randint(8, 24)
            answered = self._sentences(_ANSWERED, theme, count)
            turns.append(f"**user** ({when:%Y-%m-%d %H:%M}): {asked}")
            turns.append(f"**assistant** ({when:%Y-%m-%d %H:%M}): {answered}")
            when += timedelta(minutes=self._chance.randint(1, 30))
            size += 1 + max(1, count // 5)
        return Text(title=turns[0].partition(": ")[2][:60], body="\n\n".join(turns)), size

    def _sentences(self, of: str, theme: Sequence[Sequence[str]], count: int) -> str:
        return " ".join(self._filled(self._pick(of), theme) for _ in range(count))

    def _filled(self, pattern: str, theme: Sequence[Sequence[str]]) -> str:
        things, deeds, places, ways = theme
        who, other = self._chance.sample(PEOPLE, 2)
        first, second = self._chance.sample(things, 2)
        filled = pattern.format(
            a=first,
            b=second,
            who=who,
            who2=other,
            did=self._chance.choice(deeds),
            at=self._chance.choice(places),
            t=self._pick(_TIMES),
            **{"is": self._chance.choice(ways)},
        )
        return filled[0].upper() + filled[1:]

    def _pick(self, of: str) -> str:
        return self._chance.choice(" ".join(of.split()).split("|"))

    def _theme_of_text(self) -> Sequence[Sequence[str]]:
        """A theme, half of whose words come from another: lives are no encyclopaedias."""
        one, other = self._chance.sample(self._themes, 2)
        return [[*first, *second[:3]] for first, second in zip(one, other, strict=True)]

    def _day(self) -> datetime:
        return datetime(2022, 1, 1, 8) + timedelta(minutes=self._chance.randrange(900_000))


def _theme(line: str) -> list[list[str]]:
    parts = line.partition(":")[2].split("|")
    return [[word.strip() for word in part.split(",")] for part in parts]
