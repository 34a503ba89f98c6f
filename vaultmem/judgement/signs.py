"""Words that tell something about a sentence, by class, in seven languages.

They are features of the models (docs/judgement.md) and decide nothing alone: what a word is worth
is learned from labelled sentences. A word that ends in `*` is the beginning of words.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_CLASSES = {
    "self": """
        i i'm i've i'd i'll me my mine myself we we're we've we'll us our ours ich mich mir mein
        meine meinen meinem meiner wir uns unser unsere unserem unseren yo me mi mis mí conmigo
        nos nosotros nuestro nuestra je j' moi mon ma mes nous notre nos io mi mio mia miei mie
        noi nostro nostra ik mij mijn m'n wij we ons onze eu meu minha meus minhas mim nós nosso
        nossa gente
    """,
    "you": """
        you your yours you're du dich dir dein deine ihr euch sie tú tu te ti usted ustedes vous
        votre toi ton ta tes ti tuo tua voi je jij jouw jullie você vocês teu tua
    """,
    "other": """
        he she him her his hers he's she's they them their they're er sie ihm ihn ihr ihre sein
        seine él ella ellos ellas su sus le les il elle ils elles lui leur son sa ses lei loro suo
        sua hij zij ze hem haar zijn hun ele ela eles elas dele dela seu sua
    """,
    "kin": """
        mum mom mam mother father dad dada grandma grandad granddad grandpa gran nan nana granny
        grandmother grandfather sister brother sis bro son daughter wife husband hubby partner
        girlfriend boyfriend fiancé* fiance* uncle aunt auntie cousin nephew niece kid kids child
        children baby twins toddler grandson granddaughter grandchild* grandkids stepson
        stepdaughter stepdad stepmum stepfather stepmother friend mate flatmate roommate
        housemate lodger neighbour* neighbor* colleague boss manager landlord landlady
        mutter mama mutti vater papa oma opa schwester bruder sohn tochter frau mann freund*
        onkel tante cousin* neffe nichte kind kinder baby enkel* schwager schwägerin
        schwieger* nachbar* kolleg* chef* mitbewohner* vermieter* schwägerin stiefsohn
        madre padre mamá papá abuel* hermano hermana hijo hija espos* marido mujer novi* tío tía
        prim* sobrin* niet* suegr* cuñad* amig* vecin* compañer* jefe jefa bebé casero casera
        mère père maman papa mamie papi grand-mère grand-père sœur soeur frère fils fille femme
        mari copain copine conjoint* oncle tante cousin* neveu nièce belle-* beau-* petit-fils
        ami amie amis voisin* collègue* chef* patron* bébé enfant* coloc*
        mamma papà babbo nonn* sorella fratello figli* moglie marito ragazz* fidanzat* zio zia
        cugin* nipot* suocer* cognat* amic* vicin* collega capo bimb*
        moeder mam ma vader pap pa oma opa zus zusje broer broertje zoon dochter vrouw man
        vriend* oom tante neef nichtje kleinkind* kleinzoon schoon* buurman buurvrouw buren collega*
        baas huisgenoot kind kinderen
        mãe pai avó avô vó vô irmã irmão filh* espos* marido mulher namorad* tio tia primo prima
        sobrinh* net* sogr* cunhad* amig* vizinh* colega chefe bebê bebé
    """,
    "pet": """
        dog puppy cat kitten rabbit hamster budgie parrot hen hens horse pony goldfish guinea vet
        hund katze kater hase kaninchen pferd wellensittich tierarzt* perr* gat* conejo caballo
        veterinari* chien* chat chatte lapin cheval vétérinaire cane gatto gatta coniglio
        cavallo veterinari* hond kat poes konijn paard dierenarts cachorr* cão gato gata coelho
        cavalo veterinári*
    """,
    "not": """
        not no don't doesn't didn't isn't aren't wasn't weren't won't wouldn't can't couldn't
        cannot haven't hasn't hadn't never none neither without nicht kein* nie niemals ohne nix
        nichts no nunca jamás sin nada ningun* ningún ne n' pas jamais sans aucun* rien non mai
        senza niente nessun* niet geen nooit zonder niks não nunca jamais sem nada nenhum*
    """,
    "nomore": """
        longer anymore mehr plus più meer mais ya já
    """,
    "ended": """
        stopped quit gave given sold cancelled canceled finished ended over left died passed
        closed broke split ditched dropped scrapped binned gone done retired resigned lapsed
        expired fired redundan* laid divorced separated dumped deleted removed decommission*
        discharged dissolved folded bankrupt shut axed called wrapped fizzled lost dead buried
        cured healed cleared recovered returned switched scrap* retire* unsubscribed
        aufgehört aufhör* aufgegeben abbestellt gekündig* verkauft abgesagt gekündigt beendet
        vorbei gestorben
        geschlossen getrennt weg abgeschafft gestrichen storniert ausgelaufen erledigt verloren
        gelöscht
        abgemeldet eingestellt geheilt verstorben tot abgeschaltet aufgelöst rausgeschmissen
        dej* vend* cancel* termin* acab* muri* cerr* separ* divorci* renunci* jubil* despid*
        borr* quit* romp* curad* falleci* caduc*
        arrêté* arrete* vendu* annulé* fini* terminé* mort* décédé* fermé* séparé* rompu*
        quitté* résilié* supprimé* viré* guéri* abandonné* démissionné*
        smess* lasciammo venduto annullat* finit* mort* chius* lasciat* separat* mollat* disdett*
        cancellat* tolt* guarit* licenziat* scadut*
        gestopt stop stopt uiteen opgezegd verkocht afgezegd afgelopen overleden dood gesloten
        uit opgeheven verwijderd geannuleerd weg kwijt voorbij genezen ontslagen gescheiden
        parei parou deix* vend* cancel* acab* morr* fech* separ* termin* larg* demiti* desist*
        encerr*
    """,
    "changed": """
        now instead moved moving switched changed swapped became becomes turned pushed postponed
        rescheduled brought upgraded migrated replaced renamed transferred promoted raised
        increased decreased put new since actually correction meant rather anymore nowadays
        finally traded bought started
        jetzt statt stattdessen umgezogen gewechselt geändert verschoben inzwischen mittlerweile
        neu neue neuen neuer neues seit nun doch gezogen umgestiegen ersetzt heißt künftig
        ahora cambi* mud* pas* mejor nuev* mover movi* aplaz* adelant* desde ya actualmente vez
        maintenant désormais déménagé changé* passé* plutôt nouve* depuis finalement déplacé*
        reporté* remplacé* lieu dorénavant
        adesso ora invece cambi* trasferit* spostat* nuov* passat* rimandat* posticipat* ormai
        sostituit*
        nu voortaan verhuisd veranderd verzet nieuw* overgestapt inmiddels sinds verschoven
        vervangen tegenwoordig plaats
        agora mud* troc* pass* nov* adiad* remarcad* desde vez transferid* passou virou
    """,
    "also": """
        also too another second additionally besides extra more both plus other as well
        auch noch außerdem zweite* weitere* zusätzlich ander* également aussi autre* deuxième
        encore también otr* segund* además anche altr* second* pure ancora inoltre ook ander*
        tweede nog extra também outr* segund* além
    """,
    "same": """
        still same always already yet again immer noch weiterhin wieder gleiche* siempre todavía
        sigue sigo aún mism* toujours encore même* sempre ancora stess* steeds nog altijd zelfde
        ainda mesm* continu*
    """,
    "past": """
        was were had used did went got been came took bought told said ago yesterday last earlier
        war waren hatte* gestern letzte* früher damals wurde* ging kam era fue tenía ayer pasad*
        antes estaba había était étais avais avait hier dernier* avant ancien* ero era avevo
        aveva ieri scors* prima fa waren was had gisteren vorig* vroeger tinha estava foi ontem
        passad* antes
    """,
    "future": """
        will going gonna shall tomorrow next soon planning plan werde* wird morgen nächste* bald
        voy vamos va mañana próxim* pronto vais va allons demain prochain* bientôt vado domani
        prossim* presto ga gaan zal morgen volgende* straks vou vai amanhã próxim* breve
    """,
    "maybe": """
        maybe perhaps might could would if wonder wondering imagine suppose were what-if wish
        vielleicht würde* könnte* wenn falls hätte* wäre* angenommen quizá* tal vez podría* si
        sería fuera imagina ojalá peut-être pourrai* si serai* imagine* forse potrebb* se fosse
        sarebbe vorrei magari misschien zou zouden als stel talvez poderia se fosse seria imagina
    """,
    "ask": """
        what who whom whose where when why how which can could would will do does did is are
        was wer wo wann warum wieso wie welche* kannst könntest weißt gibt qué quién dónde
        cuándo cómo cuál puedes podrías hay sabes que qui où quand pourquoi comment quel* peux
        pouvez est-ce combien che chi dove quando perché come quale puoi potresti sai cosa wat
        wie waar wanneer waarom hoe welke kun kan weet quem onde quando porque como qual pode
        você sabe quanto
    """,
    "thank": """
        thanks thank cheers ta please sorry hello hi hey bye goodnight congrats danke bitte hallo
        tschüss moin servus gracias hola adiós perdona merci bonjour salut désolé grazie ciao
        scusa bedankt dank hallo doei sorry obrigad* olá oi tchau desculpa valeu
    """,
    "say": """
        said says say told heard reckons claims read according apparently they supposedly
        sagt sagte meint meinte behauptet gehört gelesen angeblich dice dijo dicen según leí
        dizque dit disait paraît selon lu dice ha detto dicono secondo pare zegt zei zeggen
        volgens gehoord gelezen diz disse dizem segundo li parece
    """,
    "always": """
        always never every usually daily weekly mondays tuesdays wednesdays thursdays fridays
        saturdays sundays immer nie jeden jede jedes täglich wöchentlich montags dienstags
        mittwochs donnerstags freitags samstags sonntags siempre nunca cada todos toujours jamais
        chaque tous sempre mai ogni tutti altijd nooit elke iedere sempre nunca cada todo toda
        todos
    """,
    "like": """
        like likes love loves prefer prefers favourite favorite fave hate hates enjoy dislike
        fan mag mögen liebe lieber liebling* hasse gern gerne bevorzuge gusta* encanta* prefier*
        favorit* odio aime aimes adore préfère* préféré* déteste piace adoro preferisc* preferit*
        odio hou lekker liever favoriet* haat gosto adoro prefiro prefer* odeio favorit* detesto
    """,
    "decide": """
        decided decision agreed chose chosen settled going we'll let's entschieden beschlossen
        entscheid* einigen geeinigt abgemacht decid* acord* quedamos elegi* décidé* convenu
        choisi* accord decis* deciso scelt* accordo besloten afgesproken gekozen decidi*
        combin* escolh*
    """,
    "must": """
        must need needs have has should mustn't allowed forbidden only always never ask muss müssen
        soll sollen darf dürfen verboten nur tengo tiene hay debe deben puede prohibid* sólo solo
        dois doit faut devons peut interdit* devo deve bisogna vietat* può moet moeten mag mogen
        verboden alleen preciso precisa deve tem pode proibid*
    """,
    "health": """
        allerg* anaphyla* epipen asthma* diabet* insulin* epilep* seizure* pregnan* coeliac*
        celiac* intoleran* medication* tablet* pill pills dose mg ibuprofen* penicillin*
        aspirin* warfarin* blood heart surgery pacemaker allergi* notfall* spritze herz*
        schwanger* medikament* tablette* unverträglich* zöliakie operation alérgi* alergi*
        embarazad* pastilla* medicament* corazón marcapasos celíac* diabét* convuls* enceinte
        médicament* cachet* cœur coeur cœliaque épilep* grossesse allergique* allergic* incinta
        farmac* cuore celiac* epilett* compress* zwanger* medicijn* hart pillen suikerziekte
        coeliakie grávid* remédi* coração celíac* comprimid* marca-passo
    """,
    "danger": """
        emergency danger* dangerous poison* toxic fatal die dies kill choke chok* ambulance hospital
        never electr* fire gas flood locked password pin gefahr* gefährlich giftig tödlich
        krankenwagen notarzt peligro* veneno* tóxic* mortal ambulancia urgencias danger* poison*
        toxique* mortel* urgence* samu pericol* velen* tossic* ambulanza gevaar* giftig*
        dodelijk ambulance perig* venen* tóxic* ambulância
    """,
    "month": """
        january february march april june july august september october november december jan feb
        mar apr jun jul aug sep sept oct nov dec januar februar märz mai juni juli oktober dezember
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
        janvier février mars avril juin juillet août septembre octobre novembre décembre gennaio
        febbraio aprile maggio giugno luglio settembre ottobre dicembre januari februari maart mei
        augustus janeiro fevereiro março maio junho julho setembro outubro novembro dezembro
    """,
    "weekday": """
        monday* tuesday* wednesday* thursday* friday* saturday* sunday* mon tue tues wed thu thurs
        fri sat montag* dienstag* mittwoch* donnerstag* freitag* samstag* sonnabend* sonntag*
        lunes martes miércoles jueves viernes sábado* domingo* lundi* mardi* mercredi* jeudi*
        vendredi* samedi* dimanche* lunedì martedì mercoledì giovedì venerdì sabato domenica
        maandag* dinsdag* woensdag* donderdag* vrijdag* zaterdag* zondag* segunda* terça* quarta*
        quinta* sexta*
    """,
    "count": """
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
        sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
        hundred thousand half quarter ein eine eins zwei drei vier fünf sechs sieben acht neun zehn
        elf zwölf dreizehn vierzehn fünfzehn zwanzig dreißig vierzig fünfzig hundert tausend halb
        uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince veinte
        treinta cuarenta cincuenta cien mil media un une deux trois quatre cinq six sept huit neuf
        dix onze douze treize quatorze quinze vingt trente quarante cinquante cent mille demi*
        due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
        venti trenta quaranta cinquanta cento mezz* een twee drie vier vijf zes zeven acht negen
        tien elf twaalf dertien veertien vijftien twintig dertig veertig vijftig honderd duizend
        um uma dois duas três quatro sete oito nove dez onze doze treze catorze quinze vinte trinta
        quarenta cinquenta cem meia
    """,
}


def _tables() -> dict[str, tuple[str, ...]]:
    """The classes of words as they are written, stars and all: to part them took twice as long."""
    written: dict[str, tuple[str, ...]] = {}
    for name, text in _CLASSES.items():
        add_words(written, text.split(), name)
    return written


def add_words(table: dict[str, tuple[str, ...]], words: Iterable[str], name: str) -> None:
    """Each of some words has one name more; all new ones at once, a third of the time of each."""
    new: dict[str, tuple[str, ...]] = dict.fromkeys(words, (name,))
    for word in new.keys() & table.keys():
        new[word] = (*table[word], name)
    table.update(new)


_WRITTEN = _tables()
NAMES = tuple(_CLASSES)


@lru_cache(maxsize=16_384)  # thousands of bullets are of a few thousand words
def signs_of(word: str) -> tuple[str, ...]:
    """The classes of a word in lower case without a star, in a fixed order; () for most words."""
    found = _WRITTEN.get(word, ())
    for length in range(1, len(word) + 1):
        more = _WRITTEN.get(f"{word[:length]}*")
        if more:
            found = (*found, *(name for name in more if name not in found))
    return found
