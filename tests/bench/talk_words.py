"""The words of `assistant_talks`: areas of life, and how people and assistants put things."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """What is talked of in one area.

    choices   pairs of which the person prefers one
    forms     what an answer is to look like
    requests  what is asked for later: in other words than wishes are told in
    facts     (told, asked); changes: (told, told later, asked)
    several   (told in sessions of their own, asked of all); events: (two told with a day, asked)
    """

    names: tuple[str, ...]
    things: tuple[str, ...]
    acts: tuple[str, ...]
    choices: tuple[tuple[str, str], ...]
    forms: tuple[str, ...]
    requests: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    changes: tuple[tuple[str, str, str], ...]
    several: tuple[tuple[str, ...], str]
    events: tuple[tuple[str, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """Areas, and the sentences that all of them share."""

    areas: tuple[Area, ...]
    prefers: tuple[str, ...]
    instructs: tuple[str, ...]
    beside: tuple[str, ...]
    echoes: tuple[str, ...]
    advice: tuple[str, ...]


def _some(text: str) -> tuple[str, ...]:
    return tuple(one.strip() for one in text.strip().split("|"))


_DEV = Half(
    areas=(
        Area(
            names=_some("cooking | recipes | meals"),
            things=_some(
                "onion | pan | lentils | oven | sauce | spices | stock | dough | roast | salad "
                "| dinner | weeknight | portion | butter | leftovers"
            ),
            acts=_some("simmer | season | chop | bake | taste"),
            choices=(
                ("one-pot dishes", "several small courses"),
                ("plant-based ingredients", "meat and fish"),
                ("quick twenty-minute meals", "slow braised food"),
            ),
            forms=_some(
                "give amounts in grams | list the allergens | name a wine that goes with it "
                "| say how long it keeps in the fridge"
            ),
            requests=_some(
                "What could I make for dinner with friends on Saturday? | Can you suggest "
                "something warm for a cold evening? | Help me plan what to eat this week. "
                "| How do I turn a bag of lentils into a good dinner?"
            ),
            facts=(
                (
                    "My sourdough starter needs {value} grams of flour each time.",
                    "How much flour does my starter get?",
                ),
                (
                    "I paid {value} euros for the new cast-iron casserole.",
                    "What did the casserole cost me?",
                ),
            ),
            changes=(
                (
                    "The supper club has {value} members signed up.",
                    "The supper club grew, it has {value} members signed up now.",
                    "How many members does my supper club have?",
                ),
            ),
            several=(
                (
                    "I finally learned to make gnocchi from my neighbour.",
                    "Yesterday I learned to fold dumplings.",
                    "Add injera to the dishes that I have learned.",
                ),
                "How many dishes did I learn to make in all?",
            ),
            events=(
                (
                    "I started the pastry course on {day}.",
                    "I passed the exam of the pastry course on {day}.",
                ),
                "How many days passed between the start of my pastry course and its exam?",
            ),
        ),
        Area(
            names=_some("programming | code | software"),
            things=_some(
                "function | module | test | library | login | session | database | cache | "
                "endpoint | parser | server | error | config | branch | form"
            ),
            acts=_some("refactor | deploy | mock | validate | log"),
            choices=(
                ("lightweight packages", "heavy frameworks"),
                ("functional style", "class hierarchies"),
                ("plain SQL", "an object mapper"),
            ),
            forms=_some(
                "highlight the syntax of every snippet | add type hints | state the time "
                "complexity | show a test beside it"
            ),
            requests=_some(
                "Could you show me how to build the login of the shop? | I need a way to keep user "
                "sessions, what would you use? | How should I store the orders? "
                "| Help me write the parser for uploaded files."
            ),
            facts=(
                (
                    "Our staging server listens on port {value}.",
                    "Which port does the staging server use?",
                ),
                (
                    "The nightly import takes {value} seconds at the moment.",
                    "How long does the nightly import take?",
                ),
            ),
            changes=(
                (
                    "Test coverage counts {value} files.",
                    "After the cleanup the coverage counts {value} files.",
                    "How many files does our coverage count?",
                ),
            ),
            several=(
                (
                    "I closed the bug about the broken password mail.",
                    "The bug with the double invoices is closed as well.",
                    "One more: I closed the bug in the export of labels.",
                ),
                "Which bugs have I closed so far?",
            ),
            events=(
                ("We froze the release on {day}.", "We shipped the release to customers on {day}."),
                "How long was it from the freeze of the release to shipping it?",
            ),
        ),
        Area(
            names=_some("travel | trips | journeys"),
            things=_some(
                "hotel | ticket | station | museum | coast | luggage | border | ferry | map | city "
                "| weekend | passport | view | village | route"
            ),
            acts=_some("book | pack | compare | reserve | wander"),
            choices=(
                ("night trains", "flights"),
                ("small guesthouses", "large hotels"),
                ("free afternoons", "a tight schedule"),
            ),
            forms=_some(
                "end with a packing list | quote prices in Swiss francs | mention the visa rules "
                "| add the distance on foot"
            ),
            requests=_some(
                "Where should we go for a long weekend in May? | Can you put together four days in "
                "Porto? | How do I best get from Vienna to the sea? "
                "| Recommend a place for our anniversary."
            ),
            facts=(
                (
                    "The cottage on Islay is {value} pounds for the week.",
                    "What does the cottage on Islay cost?",
                ),
                (
                    "My rail pass has the number {value}.",
                    "What is the number of my rail pass?",
                ),
            ),
            changes=(
                (
                    "We set aside {value} euros for the summer holiday.",
                    "We changed what we set aside for the summer holiday: {value} euros.",
                    "How much have we set aside for the summer holiday?",
                ),
            ),
            several=(
                (
                    "Tallinn was a delight, I came home last night.",
                    "Just back from a few days in Ghent.",
                    "I visited Ljubljana with my sister.",
                ),
                "Which cities have I been to this year?",
            ),
            events=(
                (
                    "I applied for the new passport on {day}.",
                    "The new passport came in the post on {day}.",
                ),
                "How many days did my passport take to arrive after I applied?",
            ),
        ),
        Area(
            names=_some("fitness | running | workouts"),
            things=_some(
                "knee | pace | stretch | race | hill | shoes | interval | recovery | muscle | plan "
                "| warm-up | distance | week | watch | marathon"
            ),
            acts=_some("stretch | rest | sprint | lift | jog"),
            choices=(
                ("exercise outdoors", "the gym"),
                ("early mornings", "evening sessions"),
                ("body weight only", "machines"),
            ),
            forms=_some(
                "give heart-rate zones | include a rest day | use kilometres "
                "| warn me about my knee"
            ),
            requests=_some(
                "What should I do to get stronger legs? | Can you draw up the next four weeks for "
                "me? | How do I get faster over ten kilometres? | Help me stay active this winter."
            ),
            facts=(
                (
                    "My physiotherapist charges {value} crowns a visit.",
                    "What does a visit to my physiotherapist cost?",
                ),
                (
                    "I burned {value} calories on the rowing test.",
                    "How many calories did I burn on the rowing test?",
                ),
            ),
            changes=(
                (
                    "My club wants {value} euros as yearly fee.",
                    "They raised the fee of the club to {value} euros.",
                    "What is the yearly fee of my club?",
                ),
            ),
            several=(
                (
                    "I ran the harbour race, in the rain of course.",
                    "Done with the castle race, legs like jelly.",
                    "I finished the vineyard race in the middle of the field.",
                ),
                "How many races did I run?",
            ),
            events=(
                ("I sprained my ankle on {day}.", "I ran again for the first time on {day}."),
                "How many days did I not run after I sprained my ankle?",
            ),
        ),
        Area(
            names=_some("writing | letters | texts"),
            things=_some(
                "paragraph | tone | title | reader | draft | sentence | essay | mail | ending | "
                "verb | chapter | speech | opening | note | summary"
            ),
            acts=_some("revise | shorten | quote | outline | rephrase"),
            choices=(
                ("a dry and sober voice", "a warm chatty voice"),
                ("short sentences", "long flowing sentences"),
                ("British spelling", "American spelling"),
            ),
            forms=_some(
                "avoid bullet points | offer two versions | count the words | leave out emojis"
            ),
            requests=_some(
                "Draft a mail to my landlord about the heating. | Could you write the opening of "
                "my speech? | How would you say no to this invitation? "
                "| Please put the minutes of the meeting into a page."
            ),
            facts=(
                (
                    "My novel stands at {value} pages.",
                    "How many pages does my novel have?",
                ),
                (
                    "The magazine pays {value} dollars for an essay.",
                    "What does the magazine pay for an essay?",
                ),
            ),
            changes=(
                (
                    "The newsletter goes to {value} readers.",
                    "Good news, the newsletter goes to {value} readers by now.",
                    "How many readers does my newsletter go to?",
                ),
            ),
            several=(
                (
                    "The Herald printed my column on bees.",
                    "The parish gazette printed my piece on bells.",
                    "A third of mine was printed, by the river quarterly.",
                ),
                "Which papers printed something of mine?",
            ),
            events=(
                (
                    "I sent the manuscript to the agent on {day}.",
                    "The agent answered about the manuscript on {day}.",
                ),
                "How long did the agent take to answer about my manuscript?",
            ),
        ),
    ),
    prefers=_some(
        "I prefer {liked} over {other} when it comes to {area}. "
        "| I'd rather have {liked} than {other}, as far as {area} goes. "
        "| For me {area} means {liked}; {other} is not for me. "
        "| I like {liked} much better than {other}. "
        "| I'm not a fan of {other}, I'd go for {liked} any time."
    ),
    instructs=_some(
        "Always {form} when I ask about {area}. | From now on, {form} whenever we talk about "
        "{area}. | Whenever I bring up {area}, please {form}. | In future please {form} in "
        "everything on {area}."
    ),
    beside=_some(
        "The {thing} bothers me a little. | No hurry with the {thing}. | I only know about the "
        "{thing}. | My brother laughed at the {thing}. | Thanks for the tip on the {thing}."
    ),
    echoes=_some(
        "Great, you said: {said}. | Understood, so {said}. | Of course! About this, {said}, there "
        "is a lot to say. | Happy to help, since {said}."
    ),
    advice=_some(
        "When it comes to {area}, the {thing} matters more than the {other}. | Always check the "
        "{thing} before you {act}. | Many people prefer {choice}, which makes the {other} easier. "
        "| I would suggest that you {act} the {thing} first and look at the {other} afterwards. "
        "| For {area} it helps to plan the {thing} for the week. | You could {act} with {choice} "
        "and keep the {thing} simple. | From now on you can use the {thing} whenever you {act}. "
        "| A good {thing} takes time, so build it step by step with the {other}. | If you ask "
        "about {area}, think of the {other} that friends recommend."
    ),
)

_HELD = Half(
    areas=(
        Area(
            names=_some("the garden | planting | my plants"),
            things=_some(
                "soil | bed | seeds | hedge | compost | frost | tomato | slug | shade | pot | bulb "
                "| lawn | mulch | blossom | watering can"
            ),
            acts=_some("prune | sow | water | dig | weed"),
            choices=(
                ("native perennials", "exotic annuals"),
                ("raised boxes", "open ground"),
                ("organic remedies", "chemical sprays"),
            ),
            forms=_some(
                "name the Latin species | tell the month to sow | keep my dog's safety in view "
                "| note how much sun it wants"
            ),
            requests=_some(
                "What could grow along the north wall? | Please advise me on getting rid of the "
                "slugs. | I want something colourful by the gate, ideas? | How can I save the "
                "tomatoes from the blight?"
            ),
            facts=(
                (
                    "The greenhouse kit was {value} pounds delivered.",
                    "How much was the greenhouse kit?",
                ),
                (
                    "Our rain barrel holds {value} litres.",
                    "How many litres fit into the rain barrel?",
                ),
            ),
            changes=(
                (
                    "The allotment measures {value} square metres.",
                    "They redrew the fence, so the allotment measures {value} square metres.",
                    "How large is my allotment?",
                ),
            ),
            several=(
                (
                    "The quince is in the ground at last.",
                    "A medlar joined the orchard this afternoon.",
                    "I put a mirabelle into the orchard.",
                ),
                "Which trees did I add to the orchard?",
            ),
            events=(
                ("I sowed the peppers on {day}.", "The first pepper was ripe on {day}."),
                "How many days went by from sowing the peppers to the first ripe one?",
            ),
        ),
        Area(
            names=_some("money | finances | savings"),
            things=_some(
                "account | fund | tax | bond | fee | loan | budget | rent | pension | broker "
                "| interest | receipt | insurance | salary | invoice"
            ),
            acts=_some("invest | save | transfer | compare | deduct"),
            choices=(
                ("low-risk index funds", "single shares"),
                ("paying debts first", "saving first"),
                ("cash envelopes", "budgeting apps"),
            ),
            forms=_some(
                "break costs down by month | mention the tax side | round to whole pounds "
                "| say how risky it is"
            ),
            requests=_some(
                "Where do I put the bonus of this year? | Can you work out how I afford a new car? "
                "| I got a raise, what is the wise thing? | Walk me through getting ready for "
                "retirement."
            ),
            facts=(
                (
                    "The bank took {value} pounds for the valuation.",
                    "How much did the bank charge for the valuation?",
                ),
                (
                    "I owe my aunt {value} pounds for the boiler.",
                    "How much do I owe my aunt?",
                ),
            ),
            changes=(
                (
                    "My emergency pot stands at {value} pounds.",
                    "I topped up the emergency pot, it stands at {value} pounds.",
                    "What is in my emergency pot?",
                ),
            ),
            several=(
                (
                    "I cancelled the film streaming subscription.",
                    "The wine box subscription is cancelled, too.",
                    "Cancelled another subscription: the audio books.",
                ),
                "How many subscriptions have I got rid of?",
            ),
            events=(
                (
                    "I handed in the mortgage papers on {day}.",
                    "The mortgage was approved on {day}.",
                ),
                "How long did the approval of the mortgage take?",
            ),
        ),
        Area(
            names=_some("learning Japanese | language study | my Japanese"),
            things=_some(
                "kanji | grammar | flashcard | accent | tutor | verb | listening | textbook | "
                "particle | dialogue | lesson | homework | dictionary | phrase | quiz"
            ),
            acts=_some("practise | repeat | memorise | read aloud | translate"),
            choices=(
                ("learning through songs", "grammar drills"),
                ("talking to people", "apps"),
                ("handwritten cards", "typed lists"),
            ),
            forms=_some(
                "write the reading above the characters | finish with a short quiz "
                "| use the polite form | explain it in English first"
            ),
            requests=_some(
                "What is a good way to get through chapter nine? | Give me something to do on the "
                "bus. | How might I remember all these verbs? | Could you explain the little word "
                "'wa' to me?"
            ),
            facts=(
                (
                    "The evening school wants {value} pounds for the term.",
                    "What does a term at the evening school cost?",
                ),
                (
                    "My deck holds {value} cards.",
                    "How big is my deck of cards?",
                ),
            ),
            changes=(
                (
                    "I scored {value} points in the mock test.",
                    "I sat the mock test once more and scored {value} points.",
                    "What is my score in the mock test?",
                ),
            ),
            several=(
                (
                    "I made it to the end of a novel by Kawakami.",
                    "I made it through the Murata novel in the original.",
                    "The Ogawa novel is finished.",
                ),
                "Which novels have I read in the original?",
            ),
            events=(
                (
                    "I enrolled for the language test on {day}.",
                    "I sat the language test on {day}.",
                ),
                "How many days before the language test did I enrol?",
            ),
        ),
        Area(
            names=_some("the flat | decorating | our home"),
            things=_some(
                "wall | lamp | shelf | carpet | paint | tile | curtain | corner | window | sofa "
                "| radiator | hallway | mirror | cupboard | floor"
            ),
            acts=_some("paint | drill | measure | sand | hang"),
            choices=(
                ("second-hand furniture", "flat packs"),
                ("muted earthy colours", "bright accents"),
                ("open shelving", "closed cabinets"),
            ),
            forms=_some(
                "give measures in centimetres | add a rough price | say which tools I need "
                "| remember that we rent"
            ),
            requests=_some(
                "How would you arrange the narrow room at the back? | I need somewhere to keep the "
                "books. | Make the hallway less gloomy for me, any thoughts? | What goes well "
                "above the bed?"
            ),
            facts=(
                (
                    "The plumber asked {value} pounds for the shower.",
                    "What was the price of the plumber for the shower?",
                ),
                (
                    "Our balcony door is {value} millimetres wide.",
                    "How wide is the door to the balcony?",
                ),
            ),
            changes=(
                (
                    "The landlord wants {value} pounds of deposit.",
                    "We talked to the landlord, the deposit is {value} pounds after all.",
                    "How high is the deposit?",
                ),
            ),
            several=(
                (
                    "The pantry has got its new coat of paint.",
                    "I did the nursery, the paint is still wet.",
                    "The study is painted as well.",
                ),
                "Which rooms have I painted?",
            ),
            events=(
                ("We ordered the kitchen on {day}.", "The fitters put the kitchen in on {day}."),
                "How much time lay between ordering the kitchen and having it fitted?",
            ),
        ),
        Area(
            names=_some("music | the guitar | playing"),
            things=_some(
                "chord | string | rhythm | song | scale | capo | amplifier | verse | band | melody "
                "| strumming | fret | tuning | stage | metronome"
            ),
            acts=_some("strum | record | tune | hum | transpose"),
            choices=(
                ("fingerstyle", "plectrum playing"),
                ("jazz standards", "campfire songs"),
                ("playing by ear", "sheet music"),
            ),
            forms=_some(
                "write chords as letters | keep it to fifteen minutes | link it to a song that I "
                "know | note the tempo"
            ),
            requests=_some(
                "What shall I work on tonight? | Set up the coming month for me. | Any idea for a "
                "piece at my sister's wedding? | How can my left hand get quicker?"
            ),
            facts=(
                (
                    "The luthier asked {value} pounds for the repair.",
                    "What did the luthier ask for the repair?",
                ),
                (
                    "Our rehearsal cellar is {value} pounds a quarter.",
                    "How much is the rehearsal cellar?",
                ),
            ),
            changes=(
                (
                    "The choir of the school has {value} singers.",
                    "After the summer the choir has {value} singers.",
                    "How many singers are in the choir?",
                ),
            ),
            several=(
                (
                    "We played at the Fox and Hounds, small but loud.",
                    "We played at the harbour fair on Sunday.",
                    "And we played at the hospice, which moved me.",
                ),
                "Where has our band played?",
            ),
            events=(
                (
                    "I left the guitar with the repairman on {day}.",
                    "I picked the guitar up again on {day}.",
                ),
                "How many days was my guitar away for repair?",
            ),
        ),
    ),
    prefers=_some(
        "I tend towards {liked}, not {other}, in all of {area}. "
        "| {other} never worked for me, so {liked} it is for {area}. "
        "| With {area} my taste is {liked} instead of {other}. "
        "| I enjoy {liked}; I try to stay away from {other}. "
        "| I'm leaning to {liked} and would skip {other}."
    ),
    instructs=_some(
        "Please make sure to {form} every time it is about {area}. | If I ask for something on "
        "{area}, do {form}. | Keep in mind for all answers on {area}: {form}. | When you help me "
        "with {area}, you should {form} each time."
    ),
    beside=_some(
        "By the way, the {thing} looks odd. | I keep thinking of the {thing}. | The {thing} came "
        "up yesterday. | Sorry, long day, and then the {thing}. | My flatmate swears by the "
        "{thing}."
    ),
    echoes=_some(
        "Certainly. You mention that {said}. | Noted: {said}. | Good point. As {said}, here is "
        "what I would look at. | Thank you for sharing that {said}."
    ),
    advice=_some(
        "In {area} the {thing} often decides about the {other}. | Make sure to {act} the {thing} "
        "every time. | Some enjoy {choice} and stay away from a costly {other}. | My idea for you: "
        "{act} the {other}, and remember the {thing}. | If you are leaning to {choice}, the "
        "{thing} gets quicker. | Please keep in mind that a {thing} goes well with the {other}. | "
        "You should {act} a little each time and note the {thing}. | The wise thing is to set up "
        "the {other} in the coming month. | To get the most of {area}, {act} the {thing} tonight."
    ),
)
HALVES = {"dev": _DEV, "held": _HELD}
