"""Other words that a word of a question may be answered by, for a share of its weight.

A group of words counts as one word more: each passage that holds any of them gains once, so a long
list neither costs more nor weighs more than a short one. Whatever knows words that go together (a
thesaurus, neighbours by vectors) can give groups of its own, one for each strength.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from vaultmem.base import NamedTuple, Protocol
from vaultmem.language import Stems

# English words that stand for one another: forms of one word, and what goes by a general one.
#
# Written by hand from everyday language; a question with 'pets' is answered by a dog, one with
# 'went' by 'go'. Each line of KINDS is general words, a colon, and words that often go by them.

FORMS = """
go went gone, buy bought, get got gotten, make made, take took taken, see saw seen, meet met, give
gave given, come came, run ran, eat ate eaten, drink drank drunk, drive drove driven, write wrote
written, speak spoke spoken, teach taught, think thought, bring brought, build built, catch
caught, choose chose chosen, fall fell fallen, feel felt, find found, fly flew flown, forget
forgot forgotten, grow grew grown, hear heard, hide hid hidden, hold held, keep kept, know knew
known, lead led, leave left, lend lent, lose lost, pay paid, ride rode ridden, ring rang rung,
rise rose risen, sell sold, send sent, sing sang sung, sit sat, sleep slept, spend spent, stand
stood, steal stole stolen, swim swam swum, tell told, throw threw thrown, understand understood,
wear wore worn, win won, begin began begun, break broke broken, draw drew drawn, fight fought, sew
sewn, shoot shot, show shown, become became, child children kid, man men, woman women, foot feet,
tooth teeth, mouse mice, person people, wife wives, knife knives, leaf leaves, loaf loaves, shelf
shelves, say said, do did done, dig dug, bite bit bitten, blow blew blown, freeze froze frozen,
shake shook shaken, strike struck, tear tore torn, wake woke woken, mom mum mother mama mommy, dad
father papa daddy, grandma grandmother granny nana, grandpa grandfather grandad, photo picture pic
photograph image, movie film, tv television, bike bicycle, phone telephone, puppy dog pup, kitten
cat, fridge refrigerator, vacation holiday trip, exam test, doctor doc, favorite favourite fave,
color colour, center centre, theater theatre
"""

KINDS = """
animal pet: dog puppy cat kitten rabbit hamster bird parrot fish horse turtle snake lizard
goldfish aquarium vet; sport exercise workout fitness: football soccer basketball tennis swim run
jog gym yoga bike cycle hike climb volleyball hockey golf baseball ski surf marathon boxing karate
skate dance pilates kickboxing weight; music: song band concert album sing guitar piano violin
drum flute orchestra choir jazz rock classical playlist festival; instrument: guitar piano violin
drum flute clarinet cello trumpet saxophone ukulele harp keyboard; book read reading literature:
novel author chapter story library series fantasy fiction biography mystery poem bestseller; movie
film cinema: watch actor scene trilogy sequel thriller comedy drama documentary director theater
screen; game: chess console tournament puzzle card board controller level play nintendo
playstation xbox; art artwork artist: paint draw sketch sculpture pottery canvas gallery
photography watercolor exhibit mural portrait clay; craft: knit sew pottery crochet woodwork
origami; food meal dish cuisine eat: cook dinner lunch breakfast pasta pizza salad soup chicken
rice cake bread sushi curry taco burger steak fish vegetable recipe restaurant allergic allergy
vegetarian vegan diet intolerant;
dessert sweet treat bake: cake cookie pie ice cream chocolate brownie muffin pastry tart cupcake;
drink
beverage: coffee tea wine beer juice water smoothie cocktail milk; fruit: apple banana orange
strawberry blueberry mango grape peach cherry lemon; family relative: mother mom father dad sister
brother son daughter grandmother grandma grandfather grandpa aunt uncle cousin wife husband kid
child parent; child kid: son daughter baby toddler; partner spouse: husband wife boyfriend
girlfriend marry fiance date; job career work occupation profession: office boss company hire
promotion interview manager engineer teacher nurse doctor lawyer colleague coworker salary employ;
employer: work job company hire;
education study school degree: university college class course exam graduate student teacher
professor major diploma homework; travel trip vacation visit: flight fly airport hotel beach
mountain passport abroad tour tourist drive road cruise; country nation: france germany italy
spain england uk usa america canada mexico brazil japan china india australia ireland scotland
sweden norway russia greece turkey thailand portugal switzerland egypt; city town: london paris
berlin rome madrid barcelona york boston chicago seattle angeles francisco tokyo dublin amsterdam
vienna sydney toronto miami; state: california texas florida york washington oregon colorado
michigan georgia ohio virginia carolina tennessee alaska hawaii minnesota arizona indiana; place
location spot: park beach museum cafe restaurant lake river mountain forest city; outdoor nature:
hike camp park forest mountain lake beach garden trail sunset waterfall; hobby interest pastime
activity: paint read cook garden hike write dance photography game music knit run swim camp;
health medical illness: doctor hospital sick pain surgery injury medicine allergy diagnosis flu
disease therapy checkup; injury hurt: ankle knee sprain break broken doctor pain; stress relax
destress calm: meditate yoga walk bath massage breathe unwind music; emotion feel feeling: happy
sad excited nervous proud angry grateful scared lonely anxious; home house: apartment rent
mortgage kitchen bedroom neighborhood move roommate; vehicle transport: car bike bus train truck
motorcycle plane boat; money financial finance: save debt loan salary pay budget invest cost
expensive afford bank; business startup: store shop customer brand investor sell product company
market entrepreneur; technology device gadget: computer phone laptop app software tablet camera;
religion faith spiritual: church pray god bible temple mosque service; politic political: vote
election government campaign protest rights law mayor policy; volunteer charity community: donate
shelter homeless fundraiser help nonprofit cause; celebrate celebration holiday: birthday party
wedding anniversary christmas thanksgiving easter halloween; gift present: give birthday card box
book; clothes wear outfit: dress shirt shoe jacket hat jeans scarf; jewelry accessory: necklace
ring bracelet earring; plant garden: flower tree vegetable seed rose tomato; weather: rain snow
storm sunny cold hot wind; flower: rose tulip sunflower lily daisy orchid; color colour: red blue
green yellow purple pink orange black white; gay lgbtq transgender: pride rainbow trans lesbian
bisexual; military veteran army: soldier war serve service; writing write: story poem novel
journal blog essay author diary; language: spanish french german english japanese chinese italian;
friend friendship: buddy pal teammate colleague neighbor; accident emergency: crash fire police
ambulance hospital; award achievement success: win medal prize trophy champion certificate; event
gathering meeting: party conference concert festival parade workshop wedding show ceremony
"""


# On LoCoMo every share from .3 to .7 gains; see measurements.
SHARE = 0.5
# A life is told in a sentence each, and asked about in other words than it was told; of talks of
# many turns, which repeat the words that are asked, the words themselves find more.
MOST_PASSAGES_A_NOTE = 4
MOST_TOLD = 5_000  # passages: long lists of words cost what they find


def is_told_singly(passages: int, notes: int) -> bool:
    """Whether most notes of an index are single statements, and not too many."""
    return passages <= min(MOST_TOLD, MOST_PASSAGES_A_NOTE * notes)


class Group(NamedTuple):
    """Words that stand for a word of a question."""

    stems: frozenset[str]
    share: float  # of the weight of the word that they stand for
    note: str  # what they are to it, with a place for it: "another word for '{}'"
    covers: float = 1.0  # how much of what they gain says that the question has an answer
    is_instead: bool = False  # they count only where the word itself is not
    holds: float = 0.0  # in place of `covers`: how much of the word itself holding them is
    in_talks: float | None = None  # `share` where talks are searched; None: the same
    stems_in_talks: frozenset[str] | None = None  # `stems` where talks are; None: the same

    def where(self, *, told_singly: bool) -> tuple[frozenset[str], float]:
        """Its words and its share in an index of single statements, or of talks."""
        if told_singly:
            return self.stems, self.share
        stems = self.stems if self.stems_in_talks is None else self.stems_in_talks
        return stems, self.share if self.in_talks is None else self.in_talks


class Relations(Protocol):
    """Knows words that stand for other words."""

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """The words that may stand for words of this stem; it is in none of them."""

    def answer_groups(self, said: Sequence[str]) -> Sequence[Group]:
        """Words that answer phrases of a question, whose words come without accents."""

    def knows(self, stem: str) -> bool:
        """Whether it is the stem of a word, so that nobody misspelt another one."""


class Tables:
    """The relations of `related_words`, by the stems of an index."""

    def __init__(self, stems: Stems) -> None:
        self._stems = stems
        self._forms: dict[str, frozenset[str]] = {}
        self._kinds: dict[str, str] = {}  # members as they are written, by the stem of a head
        self._read: set[str] = set()  # first letters
        self._lines: defaultdict[str, list[list[str]]] = defaultdict(list)  # by first letters
        for line in FORMS.split(","):
            words = line.split()
            for letter in {word[0] for word in words}:
                self._lines[letter].append(words)
        self._heads = [line.partition(":")[::2] for line in KINDS.split(";")]

    def groups(self, stem: str, word: str = "") -> Sequence[Group]:
        """Forms of the same word first, then what goes by a general word."""
        if stem[:1] not in self._read:
            self._read_lines(stem[:1])
        found = []
        forms = self._forms.get(stem)
        if forms:
            found.append(Group(forms - {stem}, SHARE, "another word for '{}'"))
        members = self._kinds.get(stem)
        if members:
            of_kind = frozenset(self._stems.many(members.split()))
            found.append(Group(of_kind - {stem}, SHARE, "goes with '{}'"))
        return found

    def answer_groups(self, said: Sequence[str]) -> Sequence[Group]:
        """It knows no phrases."""
        return ()

    def knows(self, stem: str) -> bool:
        """Whether a table has it, as what is asked or as what goes by it."""
        if self.groups(stem):
            return True
        letter = stem[:1]
        members = [one for _, text in self._heads for one in text.split() if one[0] == letter]
        return stem in self._stems.many(members)

    def _read_lines(self, letter: str) -> None:
        """Read what is of words that begin so: stemming cuts endings, and all lines take 2 ms."""
        self._read.add(letter)
        forms: defaultdict[str, set[str]] = defaultdict(set)
        for words in self._lines.get(letter, ()):
            stems = self._stems.many(words)
            for stem in stems:
                if stem.startswith(letter):
                    forms[stem].update(stems)
        self._forms.update((stem, frozenset(others)) for stem, others in forms.items())
        for heads, members in self._heads:
            for stem in self._stems.many([h for h in heads.split() if h.startswith(letter)]):
                self._kinds[stem] = f"{self._kinds.get(stem, '')} {members}"
