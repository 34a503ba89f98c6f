"""Common given names, by which a name is told from any other word with a capital letter.

English, German, Spanish and what is usual beside them, also names that are words as well (Mark,
Rose). Data, and no more complete than a list of names can be: where more is known (a time, several
speakers) it is not asked.
"""

from __future__ import annotations

GIVEN = frozenset(
    name
    for line in (
        "aaron abby abigail adam adele adrian agnes ahmed aisha alan albert alejandra",
        "alejandro alex alexander alexandra alexis ali alice alicia alina alma alvaro amanda",
        "amber amelia amir amy ana anastasia anders andrea andreas andres andrew andy angela",
        "angelika anika anita anja ann anna anne annette anthony anton antonia antonio ariana",
        "arjun arthur astrid aurora ava axel barbara beatrice beatriz becky ben benjamin",
        "bernd bernhard beth bianca bill birgit bob boris brandon brenda brian brigitte bruno",
        "caitlin camila carl carla carlos carmen carol carolina caroline catherine cecilia",
        "charles charlie charlotte chen chloe chris christian christina christine christopher",
        "claire clara claudia claus connor conrad cristina cynthia dana daniel daniela david",
        "deborah denise dennis derek diana diego dieter dirk dmitri dominik donald donna dora",
        "doris dorothy doug dylan eduardo edward eileen elena eleanor eli elias elif elisa",
        "elisabeth elise elizabeth ella ellen ellie elsa emil emilia emily emma enrique eric",
        "erik erika ernst esther ethan eva evan evelyn fabian fatima felicia felix fernando",
        "finn fiona florian frances francesca francisco franz frank fred frederik friedrich",
        "gabriel gabriela gary george georg gerald gerhard gina gisela giulia gloria grace",
        "greg gregor gustavo hanna hannah hans harald harry heather heidi heike heinz helen",
        "helena helga henry herbert holger hugo ian ibrahim ines inga ingrid irene iris isaac",
        "isabel isabella ivan jack jacob jake jakob james jan jana jane janet jasmin jason",
        "javier jay jean jeff jennifer jenny jens jeremy jessica jim joan joanna jochen joe",
        "joel johanna johannes john jon jonas jonathan jordan jorge jose josef joseph joshua",
        "juan judith julia julian juliane jürgen justin kai karen karin karl kate katharina",
        "katherine kathrin katie katja keith kelly ken kevin kim klaus kristin kurt kyle lara",
        "lars laura lauren lea leah lena leo leon leonie lieselotte lily linda lisa liz logan",
        "lorenzo louis louise luca lucas lucia lucy luis luisa luise lukas luke lynn maggie",
        "magdalena manfred manuel manuela marc marco marcus margaret maria mariana marie",
        "marina mario marion mark markus marta martha martin martina mary mateo matt matthew",
        "matthias max maya megan mehmet melanie melissa mia michael michaela michelle miguel",
        "mike mila mira miriam mohamed mohammed monica monika moritz nadia nadine nancy naomi",
        "natalia natalie natasha nathan neil nick nicholas nicolas nicole nicola nils nina",
        "noah nora norbert oleg oliver olivia oscar oskar otto pablo pamela paola pat",
        "patricia patrick paul paula paulina pedro peggy peter petra phil philip philipp",
        "phoebe pia pierre priya rachel rafael rainer ralf ramon raquel raul rebecca regina",
        "renate ricardo richard rita rob robert roberto robin roger roland ron rosa rose ruth",
        "ryan sabine sally sam samantha samuel sandra santiago sara sarah sascha sean",
        "sebastian sergio sharon sheila silke silvia simon simone sofia sonja sophia sophie",
        "stefan stefanie stella stephan stephanie stephen steve steven sue susan susanne sven",
        "sylvia tanja tara ted teresa thea theo theresa thomas thorsten tim timothy tina",
        "tobias todd tom tomas tony tracy ulrich ulrike ursula ute uwe valentina valeria",
        "vanessa vera verena veronica victor victoria viktor vincent virginia walter wanda",
        "wendy werner wilhelm will william wolfgang xavier yan yasmin yuki yusuf yvonne zoe",
    )
    for name in line.split()
)
