"""English word lists that cues, topics and names are made of. Data, no rules.

Lists are text because that is how they are read and edited; `LISTS` are the `@names` of
patterns.py.
"""

from __future__ import annotations

from collections.abc import Mapping


def words(text: str) -> frozenset[str]:
    """The words of a list, in lower case."""
    return frozenset(text.split())


ADVERBS = words(
    "really also just usually often still currently actually absolutely totally definitely "
    "generally personally normally typically strongly truly quite now recently finally already "
    "only even mostly mainly particularly especially much very so certainly sometimes rarely "
    "regularly honestly both kinda pretty super always simply basically officially jointly all "
    "firmly deeply formally ultimately eventually then gladly fully"
)

# What makes 'I like it' an approval of what was just shown and not a lasting preference.
POINTING = words(
    "it this that these those them him her you your yours the its their his how what when where "
    "who why one ones here there to-see . , ! ? and but so too"
)
RELATIONS = words(
    "wife husband partner girlfriend boyfriend fiancé fiancée fiance fiancee spouse mother mom mum "
    "father dad parents sister brother sisters brothers siblings son daughter sons daughters kid "
    "kids child children baby grandmother grandma grandfather grandpa grandparents uncle aunt "
    "cousin cousins nephew niece family fam friend friends roommate flatmate neighbour neighbor "
    "boss manager colleague coworker mentor teacher coach doctor dentist therapist landlord "
    "dog cat puppy pup kitten kitty horse parrot rabbit hamster pet pets ex twins stepson "
    "stepdaughter team company employer"
)
OWNED = words(
    "dog dogs cat cats puppy pup kitten kitty kittens horse parrot rabbit hamster fish pet pets "
    "car bike motorcycle motorbike boat van house apartment flat cabin cottage garden farm piano "
    "guitar violin drums laptop macbook desktop iphone android phone tablet server nas synology "
    "printer camera telescope tesla brother brothers sister sisters son sons daughter daughters "
    "kid kids child children sibling siblings wife husband girlfriend boyfriend partner twins "
    "tattoo tattoos scar allergy allergies diabetes asthma adhd dyslexia autism epilepsy migraine "
    "migraines anxiety depression degree phd master's bachelor's doctorate diploma certificate "
    "licence license passport visa citizenship company startup business blog podcast channel "
    "collection nephew niece cousin uncle aunt"
)
OWN_THINGS = words(
    "name surname nickname birthday age email address phone number handle username github "
    "timezone birthplace hometown job title role profession occupation employer salary goal goals "
    "dream hobby hobbies passion height weight size pronouns anniversary blood nationality "
    "religion language tongue editor shell terminal laptop computer car house apartment flat "
    "office school university major degree thesis diet allergy allergies doctor bank insurance "
    "budget setup stack workflow routine schedule startup business blog website zodiac"
)
MEDICAL = words(
    "vegan vegetarian pescatarian diabetic lactose lactose-intolerant gluten-free gluten celiac "
    "coeliac colour-blind color-blind colourblind colorblind deaf blind dyslexic autistic "
    "asthmatic epileptic left-handed right-handed ambidextrous pregnant intolerant anaemic anemic "
    "allergic near-sighted nearsighted short-sighted bipolar hypertensive sober"
)
CIVIL = words(
    "married engaged single divorced widowed retired unemployed self-employed freelance "
    "transgender trans gay lesbian bisexual queer nonbinary non-binary straight jewish muslim "
    "christian catholic buddhist hindu atheist agnostic bilingual trilingual adopted"
)
# 'I'm a ...' that says nothing lasting.
PASSING_NOUNS = words(
    "bit little fan lot mess idiot loser tad moment second minute huge big happy sucker believer "
    "firm strong great couple few total complete wreck lucky nervous tired busy"
)
EMOTIONS = words(
    "love loved loves hate hated hates adore adored afraid scared anxious worried happy sad "
    "excited thrilled angry furious upset proud grateful thankful heartbroken devastated nervous "
    "ashamed embarrassed lonely joy fear terrified miserable delighted depressed jealous guilty "
    "frustrated overwhelmed disappointed relieved hopeful passionate enjoy enjoyed enjoys "
    "annoyed stressed cry cried crying miss missed blessed overjoyed dread loathe"
)
TIME_UNITS = words(
    "day week month year morning afternoon evening night weekend monday tuesday wednesday "
    "thursday friday saturday sunday summer winter spring autumn weekday"
)
# Verbs whose past tense, said of oneself, tells an event of a life.
LIFE_EVENTS = words(
    "adopted bought moved married graduated quit retired won launched founded co-founded died "
    "enrolled emigrated immigrated relocated divorced inherited divorced proposed published "
    "completed earned passed failed resigned"
)
TOOK_PART = words(
    "participated volunteered attended joined hosted organized organised competed performed "
    "donated visited travelled traveled adopted enrolled auditioned applied"
)
PAST_ACTIONS = words(
    "went saw met took ran attended visited travelled traveled joined started began signed "
    "volunteered hosted organized organised made built wrote painted baked cooked "
    "played hiked camped swam read finished applied accepted received got gave lost sold broke "
    "found flew drove rode hurt injured celebrated performed presented spoke taught learned "
    "studied interviewed registered donated planted tried saw watched bought adopted moved "
    "booked ordered paid fixed repaired released shipped deployed merged held had did was were "
    "participated competed raised renovated installed cleaned called helped discovered won "
    "talked spent came left retook dropped fell failed passed created caught picked stayed ate "
    "had been"
)
GOAL_VERBS = words(
    "become be learn move visit start write build buy travel study quit stop run open get "
    "adopt marry retire finish climb publish save lose improve reduce go help pursue make "
    "create continue expand volunteer teach work"
)
PLAN_VERBS = words(
    "renew buy call pay book submit send finish prepare file schedule pick return cancel order "
    "visit meet email register apply clean repair replace sign print post ship deliver review "
    "update upgrade migrate write reply invite plan pack vaccinate transfer refactor backup back "
    "release deploy publish document water feed collect contact ask message text tell"
)
ACTIVITIES = words(
    "studying training preparing planning organizing organising writing building developing "
    "designing researching considering saving teaching volunteering running raising renovating "
    "moving applying practicing practising recovering reading exploring carving dating using "
    "hosting exercising freelancing swimming painting playing"
)
REQUEST_VERBS = words(
    "show tell give explain write create make add remove fix find help list summarize summarise "
    "translate generate draft check run open close delete rename move update change convert "
    "compare describe review refactor implement build test print search look read try let ship "
    "format import indent go come take see put set get keep continue stop wait start recommend "
    "suggest calculate compute rewrite shorten improve use install consider note imagine ignore "
    "send email schedule book order do don't"
)
PLACE_STOPS = words(
    "and but because since so when while which who whose although though if with for as until "
    "after before now these still currently anymore then where that or near , . ; : ! ? ( ) — – -"
)
OPINIONS = words(
    "great awesome cool nice amazing fun interesting good bad beautiful lovely wonderful fantastic "
    "incredible important possible impossible clear true false sure sweet brilliant perfect "
    "terrible horrible easy hard difficult tough ok okay fine key vital crucial inspiring "
    "obvious simple weird strange funny sad worth likely unlikely necessary essential helpful "
    "useful best better worse worst right wrong here there broken down slow off back over up why "
    "welcome what how because where when not"
)
AGENDA = words(
    "deadline meeting appointment reminder call date release launch interview flight reservation "
    "booking session demo standup review"
)
PROFESSIONS = words(
    "ceo cto cfo founder co-founder lead head manager director teacher engineer developer nurse "
    "doctor lawyer student professor designer scientist writer artist programmer accountant "
    "freelancer consultant architect musician chef cook researcher physician pilot parent veteran "
    "mechanic plumber electrician carpenter photographer journalist dentist vet therapist "
    "psychologist pharmacist paramedic farmer gardener translator librarian editor author "
    "administrator analyst technician tutor coach actor actress dancer singer painter baker "
    "barista waiter waitress clerk officer soldier firefighter marine mum mom dad father mother "
    "grandmother grandfather citizen volunteer activist counselor counsellor intern trainee"
)
RELATION_VERBS = words(
    "is are has have was were lives live works work loves likes hates plays died passed got moved "
    "started studies goes wants turned prefers uses speaks made taught named called"
)
OCCASIONS = words(
    "meeting appointment interview exam flight trip party wedding conference concert exhibition "
    "vacation holiday surgery race demo launch release call deadline date game match event show "
    "dinner lunch class session dentist doctor workshop hackathon presentation recital marathon"
)
GOING = words(
    "flying going meeting traveling travelling visiting leaving moving having seeing hosting "
    "attending giving getting starting taking doing picking driving running playing presenting"
)
GAMES = words(
    "guitar piano violin drums chess football tennis basketball soccer golf bass cello clarinet "
    "volleyball hockey rugby badminton cricket flute saxophone trumpet ukulele harp poker go"
)
PASSING_VERBS = words(
    "thought wanted knew felt will remember appreciate have was am feel been had be know think see "
    "look believed"
)
ARRANGED = words(
    "set moved scheduled booked changed postponed rescheduled cancelled canceled delayed confirmed"
)
PASSING_STATES = words(
    "excited tired busy sick ill happy sad here there asleep crying barking sleeping coming great "
    "good fine ok okay doing amazing awesome sorry glad sure ready back late bored hungry nervous "
    "proud lucky stuck confused lost curious done off swamped surprised alright away worried "
    "stressed over like hard tough cute adorable sweet lovely precious asking waiting looking "
    "getting being thrilled"
)
MONTHS_AND_DAYS = words(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays "
    "thursdays fridays saturdays sundays christmas halloween easter"
)
# Capitalised at the beginning of a sentence and no subject that stands alone.
NO_SUBJECT = words(
    "it this that these those they he she you there here what who whom which whose when where why "
    "how while if because since although though as so but and or nor also however then some "
    "many most all each every few several more less other another such any none nothing "
    "everything something someone anyone everyone everybody nobody people things thing yes no not "
    "i we my mine your yours his her hers its their theirs us me him them let's please thanks "
    "hello hi hey wow oh well maybe perhaps instead otherwise therefore thus hence both either "
    "neither one ones after before during until unless once given despite under over with without "
    "in on at by for from to into of about like just only even still yet already never always "
    "sometimes usually often rarely additionally finally first second third next last later "
    "meanwhile otherwise overall generally basically actually note see today tomorrow yesterday "
    "now again too very really quite rather much almost anything anyone anybody nearly"
)
LISTS: Mapping[str, frozenset[str]] = {
    "adverbs": ADVERBS,
    "pointing": POINTING,
    "relation": RELATIONS,
    "owned": OWNED,
    "own": OWN_THINGS,
    "medical": MEDICAL,
    "civil": CIVIL,
    "passing": PASSING_NOUNS,
    "unit": TIME_UNITS,
    "life": LIFE_EVENTS,
    "took-part": TOOK_PART,
    "past": PAST_ACTIONS,
    "goal": GOAL_VERBS,
    "plan": PLAN_VERBS,
    "activity": ACTIVITIES,
    "agenda": AGENDA,
    "profession": PROFESSIONS,
    "relation-verb": RELATION_VERBS,
    "occasion": OCCASIONS,
    "going": GOING,
    "game": GAMES,
    "no-object": POINTING | words("on with in for at when if to as"),
    "passing-verb": PASSING_VERBS,
    "arranged": ARRANGED,
    "job": words("job position offer promotion internship role"),
    "weekdays": words(
        "weekends mondays tuesdays wednesdays thursdays fridays saturdays sundays weekdays"
    ),
    "fav": words("favorite favourite fav fave favorites favourites favs"),
    # 'My door code is 4711.' was dropped: 'code' alone would keep 'my code is broken', too.
    "lock": words(
        "door gate garage alarm locker entry entrance building house flat apartment office room "
        "mailbox bike lock safe key-box lockbox parking customer discount zip postal area"
    ),
    "be": words("is are am was were 's be"),
    "number": words(
        "a an one two three four five six seven eight nine ten several some 1 2 3 4 5 6 7 8 9"
    ),
}
