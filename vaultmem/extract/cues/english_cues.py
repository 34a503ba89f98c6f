"""The cue phrases of English: which words speak for a preference, a decision, a fact, a task.

One line a cue: `kind/name [@situations] : pattern` (patterns.py explains the pattern). Situations:
u a person talks to an assistant, p people talk to each other, d a document or note.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from vaultmem.extract.cues.lexicon import LISTS
from vaultmem.extract.cues.phrase_patterns import CueTable, read_cues

_PREFERENCES = """
preference/prefer : i|we ~ prefer !not|to-see
preference/my-preference : my <2 preference is|'s|:
preference/favorite : my|our <1 @fav <4 @be
preference/favorite : is|are|'s ~ my <1 @fav
preference/like : i ~ love|like|enjoy|adore !@pointing
preference/like @pd : we ~ love|like|enjoy !@pointing
preference/like : i ~ loved|enjoyed Name
preference/dislike : i ~ hate|dislike|detest|loathe !@pointing
preference/dislike : i don't|can't|cannot ~ like|enjoy|eat|drink|stand|tolerate !@pointing
preference/dislike : i do|can not ~ like|enjoy|eat|drink|tolerate !@pointing
preference/never : i|we never <1 eat|drink|use|wear|smoke|work|take|buy
preference/fan : i am ~ not? ~ a? <1 fan of !@pointing
preference/into : i am ~ into !@pointing
preference/into : i am ~ fond|keen|obsessed|crazy of|on|with|about !@pointing
preference/passion : i am ~ passionate about !@pointing
preference/stick : let's|we|i|we'll ~ stick|keep to|with !@pointing
preference/stick : ^ stick to|with !@pointing
preference/instead @ud : ^ please? use|write|call|choose|pick <5 instead of
preference/rather @ud : ^ please? use|write|choose <5 rather|not than?
preference/avoid @ud : ^ please? don't|do not? ~ use|write|add|call|send|include !@no-object
preference/avoid @ud : ^ please? avoid !@pointing
preference/format @ud : i ~ like|want|need my|all|every|our <5 to|in|with|as
preference/habit : i ~ always|usually|normally|typically|generally !@passing-verb
preference/rather : i would ~ rather <6 than
rule/assistant @u : you must|should|shall ~ always|never|not|only
rule/assistant @u : your answers|answer|replies|reply|responses|response must|should|shall
rule/always @ud : ^ please? always|never !mind|heard|seen|again|been|that|,
rule/always @ud : ^ in|for|inside|within|on|when|with <6 ,? please? always|never
rule/always @ud : ^ don't|do ever|not? ever
rule/always @ud : we ~ always|never !thought|heard|seen|been
rule/from-now @ud : from now|here on
rule/policy @ud : ^ rule|policy|convention|guideline :
rule/policy @d : is|are ~ forbidden|mandatory|prohibited|compulsory|disallowed
"""

_DECISIONS = """
decision/decided : we|i|have|has|they|team|was|been ~ decided to|on|against|that|not|in
decision/decided : ^ decided to|on|against|that|not
decision/decision : the|our|my|final <1 decision is|was|'s|:
decision/decision : ^ decision :
decision/chose : we|i have? ~ chose|chosen|picked|selected !up|@pointing
decision/settled : we|i have? ~ settled|opted on|for
decision/agreed : we|have ~ agreed on|to|that
decision/going-with : we|i am|are|will ~ going|go with !you|it
decision/going-with : ^ going with
decision/lets : let's ~ go with|for
decision/lets @ud : let's ~ use !it|this|that
decision/will-use @ud : we will|are ~ use|using
decision/switched : we|i|have|has|team|company ~ switched|migrated|upgraded|converted <6 to|from
decision/switched : ^ switched|migrated|upgraded <5 to|from
decision/standard : we are ~ standardizing|standardising|migrating|switching|moving on|to
"""

_TASKS = """
task/todo : ^ todo|to-do|fixme|task|tasks :? _
task/todo : todo|fixme :
task/todo : ^ to do :
task/remind : ^ can|could? you? please? remind me to|about|that|of
task/remember-to @ud : ^ please? remember|forget to
task/remember-to @ud : don't forget to
task/action : ^ action item|items
task/next-step : ^ the|my|our? next step|steps is|are|:
task/deadline : the|my|our <3 deadline|due-date is|for|:|was
task/due : is|are ~ due on|by|at|in|next|this|tomorrow|today|Name
task/due : ^ due :|on|by
task/blocked @ud : ^ still? blocked|waiting by|on|for
task/follow-up @ud : ^ follow up with|on
task/need : i|we ~ need|have|got|want ~ to ~ @plan
task/need : i|we ~ must|should|gotta|shall ~ @plan
task/need @d : ^ need|have|must to? @plan
task/promised : i|we have? ~ promised to|him|her|them|my|that
"""

_FACTS = """
fact/name : my <2 name is|'s
fact/name : ^ you? can? call me Name
fact/name : ^ i am Name !and|from
fact/age : i am <3 years old
fact/age : i ~ turned 18|20|21|25|30|35|40|45|50|55|60|65|70
fact/home : i|we ~ live|reside in|at|near|with|on|alone|together|next
fact/home : i|we am|are ~ based|from|originally|native in|at|from|of?
fact/home : i ~ grew|come up|from
fact/home : i was ~ born|raised in|on|at
fact/home : i|we have? ~ moved|relocated|emigrated|immigrated here|to|from|in|into|out
fact/home : i|we have lived|worked|known|played|had <6 for|since
fact/no-longer : i|we no longer !have|need|see|think|know
fact/no-longer : i|we don't <6 anymore
fact/no-longer : i|we don't <6 any more|longer
fact/no-longer : i|we ~ stopped|quit using|working|living
fact/work : i ~ work at|for|as|in|on|with|from|part-time|full-time|remotely|nights
fact/work : i am ~ the|a|an? !no|not <3 @profession
fact/work : i ~ teach|manage|lead|freelance|run !@pointing|late|errands|out|into
fact/work : i|we ~ started|start working|my|a|our <2 job|business|company|store|studio|at|for
fact/work : i ~ lost|quit|left|got|landed|accepted my|a|the|an <2 @job
fact/work : i was|got ~ hired|fired|promoted|laid|accepted|rejected
fact/new-work : i ~ left|quit Name <4 joined Name
fact/new-work : i ~ left|quit Name <4 work|working|started at|for Name
fact/new-work : i ~ left|quit|switched|changed my? job|jobs|employer|employers <4 joined Name
fact/new-work : i ~ left|quit|switched|changed my? job|jobs|employer|employers <5 work at|for Name
fact/new-work : i ~ joined Name <2 as
fact/study : i ~ study|studied|majored|major|graduated|graduate !this|that|it|hard|a|the|how|what
fact/study : i have <2 degree|phd|doctorate|diploma|master's|bachelor's
fact/family : i am|was|got ~ @civil
fact/family : i|we am|are|got ~ married|engaged|divorced|pregnant|expecting
fact/relation : my|our <1 @relation ~ Name
fact/relation : my|our <1 @relation 's <1 name|birthday|job|school|age
fact/relation : my|our <1 @relation|@relation ~ @relation-verb
fact/owns : i|we have|own|got|had ~ got? @number <2 @owned
fact/owns : i|we ~ own|adopted|bought|inherited !it|this|that|them|the
fact/health : i am ~ @medical
fact/health : allergic|intolerant to
fact/health : i have? ~ diagnosed|suffer|suffering|suffered with|from
fact/health : i was|have|'ve been? ~ diagnosed
fact/health : i am suffering|recovering from
fact/health : i have an? <1 allergy|intolerance
fact/health : i take <3 medication|pills|insulin|antidepressants|antihistamines
fact/health : i ~ quit|stopped smoking|drinking
fact/health : i ~ struggle|struggled with
fact/skill : i ~ speak|understand Name
fact/skill : i can ~ speak|play|read|code|program|ski|swim|sail|juggle|sing|dance !@pointing|my
fact/skill : i am ~ fluent|certified|trained|experienced in|as|at
fact/skill : i am ~ good|bad|terrible|great at !@pointing
fact/skill : i play the|@game
fact/uses : i|we ~ use|drive|ride|run !it|this|that|them|these|those|to|the|my|into|out
fact/have-been : i|we have been <6 for|since|lately
fact/have-been @pd : i|we have been ~ @activity
fact/activity : i am ~ working on !it|that|this|one|them
fact/activity : i am ~ learning !a|with|so|to|about
fact/activity : i am ~ looking into|for !something|it|that|this|you
fact/activity : i am ~ @activity !it|that|this|forward|at|good|well|great|fine|ok|sure|to
fact/activity : i am ~ learning|trying|preparing|training|saving|planning to ~ @goal
fact/every : i|we <12 every|each|per @unit
fact/every : i|we <10 once|twice|times a|per @unit
fact/every : i|we <8 daily|weekly|on? @weekdays
fact/own : my <1 @own ~ is|'s|are|was
fact/own : my <1 time zone|zone? is|'s
fact/own : my @lock code|codes|combination ~ is|'s|are
fact/goal : my|our <1 goal|dream|plan|ambition|mission is|'s|has
fact/goal : i|we ~ want|hope|plan|intend|aspire|aim to ~ @goal
fact/goal : i|we am|are ~ planning|hoping|intending to ~ @goal
fact/goal : i|we ~ wanna @goal
fact/goal : i|we dream of
fact/goal : i|we am|are ~ planning|thinking|dreaming|training|saving on|of|about|for|up
fact/plan @pd : i|we am|are ~ going|gonna to? ~ !be|make|get|keep @goal|@plan
fact/plan @pd : ^ gonna|going to? ~ !be|make|get|keep @goal|@plan
fact/looking-into : i|we am|are ~ looking|researching into|adoption|options|at
belief/believe @ud : i|we ~ believe that|in|it|the
belief/believe @p : i|we firmly|strongly|deeply believe
belief/believe : i|we believe in !you|it|that|this
belief/convinced : i|we am|are ~ convinced that|of
belief/opinion @ud : in my opinion|view|experience
"""

_EVENTS = """
event/life : i|we have? ~ @life !it|that|this|the-idea
event/life : i|we|she|he got|gave ~ married|engaged|divorced|promoted|hired|fired|birth
event/took-part @pd : i|we have? ~ @took-part !it|that|this
event/past : i|we have? ~ @past
event/past : ^ @life|finished|completed|shipped|released|deployed !by|to
event/past : had|have <3 appointment|surgery|operation|interview|accident|baby
event/planned : i|we am|are ~ @going
event/planned : i|we will ~ _
event/planned : i|we have <3 @occasion
event/planned : ^ my|our|the|a <4 @occasion is|was|starts|begins|will|on|at|from
event/planned : ^ @occasion with|at|on|to|in|is|from
"""

_ASSISTANT = """
decision/agreed : we|have ~ agreed|decided to|on|that
event/agenda : i have? ~ @arranged <3 @agenda
event/agenda : ^ the|your|our <3 @agenda is|has|was ~ now|been|@arranged
"""

_EXPLICIT = """
explicit/remember @ud : ^ can|could|would? you? please? remember that|:|,|this|my|our|i|we
explicit/remember @ud : ^ please? remember always|never
explicit/keep-in-mind @ud : ^ please? keep|bear in mind that|:|,
explicit/note-to-self : ^ note to self :|,|-|that?
explicit/note @u : ^ please? make|take a note that|of|:
explicit/note @u : ^ please? note that|:|down
explicit/dont-forget @ud : ^ please? don't|never forget that|:|,|my|i|we
explicit/dont-forget @ud : ^ please? do not forget that|:|,|my|i|we
explicit/record @ud : ^ for the record|future ,|:
explicit/save @u : ^ please? save|store|memorize|memorise this|that|to <3 :|,
explicit/memo @ud : ^ memo|fyi :
"""


@lru_cache(maxsize=1)
def statement_cues() -> CueTable:
    """Cues of what a person states: preferences, decisions, tasks, facts, events, beliefs."""
    return read_cues(_PREFERENCES + _DECISIONS + _TASKS + _FACTS + _EVENTS, LISTS)


@lru_cache(maxsize=1)
def assistant_cues() -> CueTable:
    """What an assistant may state: an agreement, or a date that it has set."""
    return read_cues(_ASSISTANT, LISTS)


@lru_cache(maxsize=1)
def explicit_cues() -> CueTable:
    """'Remember that ...': the person's own command to keep a sentence."""
    return read_cues(_EXPLICIT, LISTS)


# Topics and the words that speak for them; the slugs are those of category notes.

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
