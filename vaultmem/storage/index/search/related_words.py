"""English words that stand for one another: forms of one word, and what goes by a general one.

Written by hand from everyday language; a question with 'pets' is answered by a dog, one with 'went'
by 'go'. Each line of KINDS is general words, a colon, and words that often go by them.
"""

from __future__ import annotations

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
