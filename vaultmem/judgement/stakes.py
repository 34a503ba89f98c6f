"""Signs that a life, somebody's safety or a hard limit is at stake, by topic, in seven languages.

Three models that saw four thousand sentences know 'insulin' and 'peanut', not 'warfarin' or
'sesame'; people have thousands of conditions and medicines, and each matters. So they are listed: a
word, a beginning (`cardi*`), an ending (`*azepam`), a part (`*allerg*`, for compounds), or several
words (`blood_thinner*`). The models learn what each topic is worth, alone and beside who is spoken
of; a list decides nothing by itself (docs/judgement.md). Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from vaultmem.base import Needing, late
from vaultmem.judgement.signs import add_words

_TOPICS = {
    # Illness that lasts or comes back.
    "condition": """
        has_ms die_ms mit_ms con_ms have_ms der_ms gastric_bypass triple_bypass *dialys* *dialis*
        *diális* dializ* hemodial* fabico favico bluterin* celiaquía celiachia haselnussallergie
        alzhéimer alzheimer* vorhofflimmern* crises_d'absence absence_seizures crise* hörsturz
        tinnitus* sehkraft niereninsuff* nierenschw* nierenversag* insuffisance_rénale
        insuficiencia* insufficienz* greffe greffé greffée greffe* trasplantad* transplanted
        nieuwe_nier donor_kidney válvula valvola herzklappe* hartklep* mechanical_valve sickle_cell
        low_iron iron_deficien* ferritin zucker_fällt drop_low blood_sugar blutzucker* glycémie
        glicemia glucosa glucose glucos* hemoglob* gerinnung* clotting clots clot coágul* caillot*
        trombose thrombose venen* varic* pflegegrad* pflegestufe cerebral_palsy zerebralparese
        spina_bifida down_syndrome trisom* aphasi* afasi* dysphag* disfag* swallow swallowing
        schluck* schluckstörung* verschluckt verschlucken fausse_route fausses_routes atragant*
        slikt_zich thicken* eindick* espes* addens* broken_hip osteopor* osteopen* sciati* ischias
        ciátic* sciatique hernia_disc* hernie_discale hernia_inguin* lymphedem* lymphoed*
        lymphödem* dysautonom* nystagm* strabis* night_blind* nachtblind* grauer_star katarakt*
        cataratas cataratta staar glaucoma photosens* lichtempfind* strobe* strobosk* stroboscop*
        blitzlicht* flitslicht kidney_disease liver_disease heart_disease heart_condition
        heart_defect heart_attack heart_failure heart_murmur soplo_en souffle_au soffio_al
        herzgeräusch hartruis sopro_no irregular_heart* insuf* angiopl* ablation polyp* krampft
        krampf krampfader* anfall anfälle anfällen toevallen ataques convulsiona svenimento sincop*
        syncop* vasovag* polio lyme borrelios* malaria dengue sars mononucl* zona herpes shingles
        gürtelrose hpv mrsa ecoli gehirnerschütt* concuss* commotion aneury* hydroceph* hydroz*
        shunt* nephr* nephrot* psoria* eczema* ekzem* eczéma neurodermit* dermatit* pcos pmdd
        insomni* sleepwalk* schlafwandel* panic_disorder panikstör* phobi* klaustroph* claustroph*
        claustrof* agoraph* ocd zwangsstör* obsessiv* borderline dissoci* overdose* relapse*
        rückfall* recaíd* rechute* ricadut* terugval recaída addiction süchtig autoimmune
        immune_system immunsystem système_immunitaire sistema_inmun* sistema_immun* afweer
        mastectom* hysterectom* gastrectom* sleeve bypass_surgery appendi* gall_bladder gallenblase
        vesícula vésicule cistifellea spleen_out without_a_spleen milz_raus sans_rate
        half_a_stomach medio_estómago nebenniere* adrenal* suprarren* surrén* asthma* asma*
        asmátic* asthmatique* *diabet* diabét* *diabète* zuckerkrank* suikerziekte suikerpati*
        *epilep* epilép* épilep* seizure* seizes convuls* convulsion* krampfanf* fieberkr*
        krampfleiden absences toeval stuip* coeliac* celiac* zöliakie coeliakie celíac* celiach*
        cœliaque* coeliaque* gluten*intoler* crohn* colitis ulcerativ* morbus hashimoto* haemophil*
        hemophil* hémophil* hemofil* emofil* bluter blutgerinnung* thrombo* trombo* embol* sickle
        drépanocyt* drepanocyt* falciform* sichelzell* sikkelcel* thalass* anaemi* anemi* anämie*
        anémi* bloedarmoede leukaemi* leukemi* leukäm* leucemi* lymphom* linfom* cancer* krebs
        *krebs kanker cáncer câncer cancro tumor* tumeur* tumour* chemo* chimio* quimio* metasta*
        stroke tia mini_stroke schlaganfall* ictus avc beroerte derrame herseninfarct angina
        infarct* infarto* infarkt* herzinfarkt herzfehler herzschwäche herzkrank* herzrasen
        hartfalen hartinfarct hartafwijking cardiopat* cardiaque* cardiac cardíac* cardiac*
        arrhythm* arritmi* arythm* fibrillat* fibrilac* *flimmern atriumfibril* afib tachycard*
        aneurysm* anévrisme* aneurisma* murmur hypertens* hypotens* hipertens* iperteso
        ipertension* bluthochdruck hypertonie blutdruck bloeddruk tensiune cholesterol colesterol*
        cholestérol copd bpco epoc emphysem* bronchitis cystic mucoviscidos* mukoviszidos* fibrosis
        apnoea apnea apnoe* apné* apnea* sleepapnea lungenkrank* dialys* dialis* diális*
        niereninsuffizienz nierenkrank* nierversagen renal* rénal* cirrhos* cirros* zirrhos*
        hepatit* épatit* hiv aids tubercul* tuberkul* thyroid* schilddrüse* tiroid* tiroiditis
        hipotiroid* hypothyr* hyperthyr* addison* cushing* lupus rheuma* reuma* arthrit* artrit*
        arthros* artros* fibromyalg* sclerosis sclérose sclerosi esclerosis esclerose sklerose
        multiple_scler* parkinson* dement* demenz* demenc* démenc* demên* demenza dementie
        huntington* migraine* migräne* migrañ* emicran* enxaqueca* neuropath* neuralg* trigemin*
        menier* vertigo vértig* vertigini schwindelanf* narcoleps* narkoleps* glaucom* glaukom*
        gla_star grüner_star macular* makula* macula cataract* retina* retinit* netzhaut*
        phenylketon* pku favism* favisme fabism* fauvism* g6pd porphyr* porfir* *hyperthermi*
        hipertermi* ipertermi* marfan* ehlers pots mastocyt* mastozyt* angioedem* angioödem*
        angio_oedem* hereditary erbkrank* gout gicht gotta gota jicht gallstone* gallenstein*
        nierenstein* kidney_stone* cálcul* calcoli calculs ulcer* úlcera* ulcèr* geschwür*
        magengeschwür reflux* diverticul* divertik* pancreat* pankrea* endometrios* eclamps*
        präeklamps* prééclamps* preeclamps* toxoplasm* immunosuppress* immunsuppress* immunsupprim*
        immunodef* immunocomp* immungeschw* transplant* trasplant* transplantat* splenectom*
        splénectom* stent stents shunt hernia hernie herniat* slipped_disc bandscheib* depress*
        dépress* depresi* bipolar* suicid* suizid* selbstmord* selfharm self_harm zelfmoord anorex*
        bulimi* schizo* psychos* psicos* ptsd posttraumat* autis* adhd tdah tdha adhs panic_attack*
        panikattack* crise*_panique ataque*_pánico alcoholic alcoholics_anonymous alkoholiker*
        alcohólic* alcoolique* alcoolist* alcolist* alcoólatra trocken_seit sober in_recovery
        recovering abstin* nüchtern hypo hypos hypoglyc* hipogluc* ipoglic* unterzuck* hypogly*
        ketone* ketoacid* laminitis hufrehe fourbure laminite bloat mdr1 leishmani* torsion mpn vih
        sepsis syndrom* síndrome* sindrome chronic chroni* crónic* chronique* cronic* chronisch*
        unheilbar incurable terminal palliativ* paliativ* hospiz autoimmun* gendefekt genetisch*
    """,
    # Names and kinds of medicines.
    "medicine": """
        marevan coumadin marcumar previscan préviscan gardénal gardenal fluindione varfarina
        warfarina varfarine methotrexaat methotrexat* bisoprolol *prolol nebivolol ramipril
        candesartan amlodip* metoprol* simvast* atorvast* omepraz* pantopraz* omepr* allopurin*
        colchic* prednisolon* cortisón* kortison* cortisonspray ventoline sultanol symbicort
        pulmicort humira adalimumab infliximab rituximab ocrelizumab natalizumab tamoxif* letroz*
        anastroz* xarelto rivaroxaban dabigatran edoxaban enoxaparin* fraxiparin* tecfidera
        gabapentin* pregabalin* lyrica topiram* topamax phenytoin* fenitoin* fenobarb* phenobarb*
        clonazep* lorazep* rivotril tavor alprazol* zolpid* zopic* stilnox trazod* venlafax*
        duloxet* cymbalta wellbutrin bupropion* elvanse vyvanse strattera medikinet clozap*
        risperid* aripipraz* haldol lithiumcarbonat* baclofen* tizanid* riluzol* donepez* memantin*
        madopar sinemet ropinir* levodop* desmopres* hydrokort* hydrocort* fludrocort* estradiol*
        progester* testost* mirena spirale iud kupferspirale eisentabl* iron_tablets b12 vitamin_k
        vitamin_d folic folsäure ácido_fólico acide_folique foliumzuur acido_folico furosemid*
        lasix torasem* hctz empaglif* dapaglif* jardiance semaglut* mounjaro tirzepat* trulicity
        gliclaz* sitaglipt* lantus novorapid humalog tresiba pen_needles metotrexat* azathiopr*
        azatiopr* mycophen* mesalaz* sulfasal* leflunom* hydroxychlor* plaquenil clarithro*
        erythro* azithro* doxycyc* ciproflox* cipro levoflox* nitrofur* metronidaz* cefurox*
        cephal* cefal* cefalex* cephalospor* vancomyc* gentamic* macrol* quinol* tetracyc*
        isotretin* roaccutan* accutane finaster* minoxid* acyclovir aciclovir tamiflu truvada
        antiretro* hiv_meds chemo_pump immunother* opioide nalox* methadone buprenorph* subutex
        disulfir* antabus* nicotine_patch* patch_on fentanylpflaster schlafmittel sleeping_pill*
        somnif* somnífer* slaappil* beruhigungsm* sedativ* calmant* ansiolit* ansiolít* ansiolyt*
        laxativ* abführm* hormones hormontherap* hrt ths trt testogel puberty_block* rescue_med*
        notfallmedik* notfallset notfallspritze adrenalinpen adrenaline_pen two_pens glucose_tab*
        traubenzucker dextro glucogel dextrose sugar_tablets aerochamber asthma_pump bombinha
        bombita *azepam *azolam *zolam *barbital *mab *pril *sartan *statin *statine *statina
        *statines *olol *dipine *dipin *dipino *cillin *cilline *cillina *cilina *cycline *cyclin
        *ciclina *mycin *mycine *micina *floxacin* *oxacino *xaban *gatran *parin *parine *parina
        *glutide *gliptin* *gliflozin* *formin *formine *formina *triptan* *setron *prazole *prazol
        *prazolo *tidine *caine *caïne *caína *sone *solone *solon *thiazide *semide *semid
        *lactone *lacton *lamide *tinib *vir *conazole *conazol *nazole *oxetine *oxetin *oxetina
        *pramine *triptyline *triptylin *zepine *zapine *zapin *peridol *profen *profeno *profène
        *fenac *fenaco *codone *codon *morphine *fentanyl *methadon* *phylline *terol *tropium
        *drine *limus *trexat* *trexate insulin* insulina* insuline* *insulin* levothyrox*
        levotirox* levotiroxina eutirox euthyrox thyroxin* lthyrox* warfarin* marcumar* coumadin*
        sintrom acenocumarol* marcoumar* falithrom apixaban eliquis clopidogrel* plavix heparin*
        clexane aspirin* aspirina* aspirine* ibuprofen* ibuprofeno ibuprofène paracetamol*
        paracétamol acetaminophen* tylenol diclofenac voltaren naproxen* naproxeno nsaid* aine
        aines antiinflam* anti_inflam* entzündungshemm* ontstekingsremm* metamizol* dipiron*
        nolotil novalgin* penicil* penizil* pénicil* amoxicil* amoxizil* amoxicill* augmentin*
        trimethoprim* sulfa sulfameth* sulfonamid* sulphonamid* cotrim* antibio* antibió* antybiot*
        lithium litio lithio valproat* depakin* lamotrigin* keppra levetirac* carbamaz* ritalin*
        methylphenid* concerta xanax valium sertralin* citalopram* escitalopram* fluoxetin* prozac
        mirtazap* quetiap* olanzap* antidepress* antidépress* antidepres* antipsycho* methotrex*
        metotrex* cortison* cortisone prednis* dexamethas* steroid* steroide* estéroide*
        salbutamol* ventolin* albuterol* cortisol hydrocortis* spray_nitro nitro nitroglyc*
        adrenalin* adrénalin* adrenaline epinephrin* epipen* epi_pen notfallpen auto_injec*
        autoinjec* autoiniett* glucag* naloxon* midazolam* buccolam phenoleptil luminal*
        ivermectin* antihistamin* cetirizin* loratadin* contraceptiv* anticonceptiv* statin statins
        statine beta_blocker* betablocker* betabloc* blood_thinner* thinners blutverdünn*
        bloedverdun* anticoag* anticoagul* anticoagulant* antikoag* antiaggreg* antiagreg*
        antiplatelet* gerinnungshemm* diuretic* diurét* entwässer* wassertablett* plaspil*
        water_tablet* potassium kalium potasio spironolact* digoxin* amiodaron* immunosupp*
        immunsupp* tacrolimus ciclosp* painkiller* schmerzmittel* analgesi* analges* antalgi*
        pijnstill* morphin* morfin* codein* codeín* opiat* opioid* opiác* oxycod* tramadol*
        tilidin* anaesthe* anesthe* anästhe* anestes* narkose* verdoving contrast_dye
        contrast_medium kontrastmittel* contraste contrastvloeistof iodine jodo tablet tablets
        tablett* pill pills pille pillen pilule* pastill* píldora* compress* comprim* cachet*
        cápsul* capsul* kapsel* gélule* medication* medicin medicine medicines meds medik*
        medicament* médicament* medicijn* medicaci* medicação farmaci farmaco farmacolog* fármac*
        remédi* drugs
        prescri* verschrieb* inhaler* inhalad* inhalat* inhalator* asthmaspray puffer pufje puff
        puffs suppositor* zäpfchen* zetpil* supposit* eyedrops eye_drops augentropfen colirio*
        collyre oogdruppels injection* injekti* injec* inyecc* iniezion* spritze* spritzt piqûre*
        vaccin* vacuna* impf* geimpft jab jabs dose doses dosage dosier* posolog* titrat* infusion*
        infus* transfus* supplement* levodopa interferon* ozempic metformin* St_johns wort
        johanniskraut millepertuis hiperic* grapefruit pomelo pamplemousse pompelmo
    """,
    "allergy": """
        alle_api welts quaddel* quaddeln reaction_to react_to reacts_to reaktion_auf brings_me_out
        bring_me_out brings_her_out brings_him_out comes_out_in reacción_a réaction_à reazione_a
        ronchas habones plaques_rouges eritem* blister* itch* juckt swelling zuschw* lips_swell
        lips_swelled tongue_swells my_tongue his_tongue her_tongue verträgt_kein* vertrage_kein*
        ne_supporte_pas no_tolera non_tollera non_tollero no_tolero não_tolera não_tolero
        me_sienta_mal rosacea bloats látex *allerg* alerg* alérg* anaphyla* anafyla* anafila*
        anafilá* intoleran* intolér* intolleran* *unverträglich* vertrage verträgt vertragen
        verdraag verdraagt epipen* hives urticari* nesselsucht urtica* orticaria throat_closes
        throat_closed throat_swells throat_close throat_up hals_schwillt hals_zu zugeschwollen
        gorge_se gorge_gonfle se_cierra_la_garganta cierra_la_garganta cierran_la_garganta
        chiude_la_gola fecha_a_garganta keel_dicht keel_zwelt quincke
    """,
    # What people are allergic to or must not have: worth something beside 'not' or a person.
    "allergen": """
        peanut* nut nuts hazelnut* walnut* almond* cashew* pistach* sesame shellfish prawn* shrimp*
        crab oyster* gluten wheat rye lactose dairy milk egg eggs soy soya celery mustard lupin*
        sulphite* sulfite* strawberr* kiwi* latex nickel pollen bee bees wasp wasps hornet* sting
        stings raisin* grapes xylitol chocolate onion* garlic alcohol caffeine salt sugar erdnuss*
        erdnüsse* haselnuss* haselnüsse* walnuss* nüsse* nuss* mandel* sesam* krabben garnelen*
        meeresfrüchte muschel* weizen* laktose* milch* kuhmilch* eier soja* sellerie senf lupine*
        erdbeer* bienen* wespen* hornisse* lakritz* alkohol* koffein* salz* rosinen trauben
        cacahuete* cacahuat* maní nueces avellana* almendra* sésamo ajonjolí marisco* camarón
        camarones gambas trigo lactosa leche huevo huevos apio mostaza fresas abejas avispa*
        avispas níquel sal azúcar arachide* cacahuète* noix noisette* amandes crustacé* crevette*
        lait œuf œufs oeuf oeufs céleri moutarde fraises abeille* guêpe* frelon* sel sucre blé
        arachidi nocciol* noci mandorle crostacei gamberi grano lattosio latte uova uovo sedano
        senape fragole vespe nichel pinda* hazelno* walno* amandel* schaaldieren garnaal* garnalen
        tarwe melk eieren selderij mosterd aardbei* bijen wespen amendoim amendoins castanha* noz
        nozes avelã* frutos_do_mar camarão leite ovo ovos abelha* vespas
    """,
    # What happens to a body when something goes wrong.
    "harm": """
        ahoga envenen* avvelen* empoison* envenenou intossic* hospitalis* hospitaliz* in_hospital
        in_A&E krankenhaus am_tropf lands_me land_me landed_me lips_go_blue turn_blue went_blue
        blue_lips goes_limp stopped_breathing stop_breathing stops_breathing heart_stopped
        nearly_died almost_died nearly_lost fast_gestorben beinahe_gestorben casi_se_muere
        casi_me_muero failli_mourir quasi_morto quase_morreu bijna_dood could_kill would_kill
        can_kill will_kill kill_him kill_her kill_me rischio_la_vita me_juego_la_vida
        riskier_ma_vie levensgevaar* levensbedreig* perigo_de_vida peligro_de_muerte vie_en_danger
        pericolo_di_vita lost_an_arm lost_a_finger lost_his lost_her_sight verlor_den arm_verloren
        passes_out passed_out pass_out kippt_um falls_over sturz* gestürzt stürzt se_cae
        tombe_souvent cade_spesso valt_om overstreken s'étouffe étouffe se_étouffe tachypn* shock
        schock choc_anaph* choque_anaf* anafilatt* faint* fainted collapse* collapsed blackout*
        blacked_out unconscious choke* choking choked suffocat* swell swells swelled swollen rash
        rashes breathe breathing blisters vomit* bleed bleeds bleeding haemorrh* hemorrh* overdos*
        poisoned hospitalised hospitalized intensive icu intubat* resus* died dead kill kills
        killed deadly fatal lethal ohnmächtig* umgekippt bewusstlos* ersticken erstick* atmen
        atemnot anschwell* schwillt geschwollen ausschlag blutet verblut* vergift* lebensgefähr*
        tödlich* stirbt gestorben umbringen intensivstation notaufnahme desmay* desmai* ahog*
        asfix* hincha* incha* respir* sangr* urgencias intoxic* mortal* muere ingresad* internad*
        évanou* étouff* gonfle* respire* saign* urgences réanim* intoxiqu* tuer œdème oedème
        malaise svien* soffoc* gonfi* sanguin* vomito ricoverat* rianimaz* uccide flauw* stikken
        stikt benauwd opzwell* zwelt bloed* bloeding spoed spoedeisend* dodelijk* desmaia sufoc*
        urgência pronto_socorro sangramento
    """,
    "device": """
        cochlear* cochléaire* coclear* cochleair loop_recorder ereignisrekorder holter insulinpomp*
        pompa_insul* bomba_de_insulina pompe_à_insuline catetere catéter* cathéter* cateter* picc
        port_a_cath portkatheter dialysefistel fistula shunt_arm fistel ostomy urostom* tracheo*
        tracheost* kanüle canula cannula trach_tube g_tube peg rollstühle scooter stairlift
        treppenlift monte_escalier metal_plate metal_pin titanium titan titane titanio
        künstliche_hüfte artificial_hip new_hip hip_replacement prótese* glass_eye glasauge
        guide_dog blindenhund perro_guía chien_guide cane_guida geleidehond cão_guia white_cane
        weißer_stock bastón_blanco canne_blanche compression_stock* kompressionsstr* aneurysm_clip
        aneurysma_clip hearing_loop induction_loop epilepsy_alarm apnoe_monitor oxygen_bottle
        sauerstoffflasche* sauerstoffgerät* zuurstoffles* concentrator konzentrator
        bombona_de_oxígeno bouteille_d'oxygène bombola_d'ossigeno splint* orthese* ortesis brace
        corset* pacemaker* marcapasos marca_passo schrittmacher* *schrittmacher icd defibrillat*
        défibrill* desfibril* defibrillator* stoma* *stoma colostom* estoma hearing_aid* hörgerät*
        audífono* appareil_auditif appareils_auditifs apparecchi*_acustic* hoortoestel*
        gehoorapparaat aparelho_auditivo cochlea* wheelchair* rollstuhl* silla_de_ruedas
        fauteuil_roulant sedia_a_rotelle rolstoel* cadeira_de_rodas oxygen oxygène oxígeno ossigeno
        zuurstof oxigênio sauerstoff* cpap bipap ventilator beatm* catheter* katheter* sonde sonda
        sondino feeding_tube magensonde* peg_tube prosthe* prothes* prótesis prothèse* protesi
        crutches krücken muletas béquilles stampelle krukken rollator walker insulin_pump
        insulinpump* glucose_monitor implant* implantat* cgm spacer nebulis* vernebler* medic_alert
        medicalert notfallausweis medical_id bracelet
    """,
    "impaired": """
        eyesight sight_in sight_loss half_blind partially_sighted poor_eyesight deaf_in
        hears_nothing can't_hear hör_links hör_rechts hört_nichts hört_schlecht höre_nichts
        j'entends_plus n'entend_pas n'entend_plus no_oye no_oigo non_sente_da non_sento_da
        hoort_niets hoort_slecht não_ouve não_ouço sieht_nichts sieht_schlecht no_ve_bien no_ve_de
        no_veo_de ne_voit_pas ne_voit_plus ne_vois_pas non_vede ziet_slecht ziet_niets não_vê
        não_vejo daltonien* daltonian* daltôn* colour_blind color_blind rot_grün* lipread* lip_read
        von_den_lippen lee_los_labios lit_sur_les_lèvres nonverbal non_verbal doesn't_speak
        spricht_nicht mute lost_the_sight lost_my_sight lost_his_sight limp limps hinkt prothese
        dominant_hand missing_finger amputat* amput* hemipleg* hemipar* parapleg* tetrapleg*
        quadripleg* deaf deafness blind blindness colourblind colorblind paralys* gelähmt
        hard_of_hearing taub gehörlos* schwerhörig* blinde* sehbehindert* farbenblind* sord* ciego
        ciega daltónic* sourd* aveugle* malentendant* non_vedente cieco cieca daltonic* doof
        slechthorend* slechtziend* kleurenblind* surdo surda cego cega cegueira daltônic* disabled
        disabilit* behindert* behinderung schwerbehind* discapacid* handicap* invalid* disabile
        gehandicap* deficien* one_kidney one_lung one_eye one_ear una_oreja einer_niere
        nur_eine_niere un_seul_rein un_solo_riñón un_rein
    """,
    "body": """
        heart kidney* liver lung lungs spleen brain spine back hip knee* throat airway eye eyes
        pancreas stomach bladder bowel skull tendon* aorta valve blood herz* herzens niere* leber
        lunge* milz gehirn rücken wirbel* hüfte knie hals auge* ohr ohren magen blase darm kreuz*
        blut corazón riñón riñones hígado pulmón pulmones bazo cerebro columna espalda cadera
        rodilla* garganta ojo ojos oído oreja estómago vejiga sangre cœur coeur reins foie poumon*
        cerveau colonne hanche genou* gorge œil oreille* estomac vessie sang cuore rene fegato
        polmon* milza cervello schiena ginocchi* gola occhi* orecchi* stomaco sangue nier nieren
        longen hersenen heup keel oog ogen oor oren maag coração rim rins fígado pulmão baço
        cérebro coluna costas quadril joelho* olho* ouvido* estômago
    """,
    "pregnant": """
        grossesse expecting_in we're_expecting we_are_expecting i'm_expecting she's_expecting
        expecting_twins baby_due baby_is_due months_pregnant weeks_pregnant im_dritten_monat
        im_vierten_monat im_fünften_monat im_sechsten_monat im_siebten_monat im_achten_monat
        erwarten_ein erwarten_zwillinge erwarten_nachwuchs in_anderen_umständen mutterpass
        mutterschutz de_cinco_meses de_cuatro_meses de_seis_meses de_siete_meses de_tres_meses
        de_ocho_meses de_sete_meses de_três_meses de_quatro_meses de_oito_meses al_quinto_mese
        al_sesto_mese al_quarto_mese al_terzo_mese al_settimo_mese all'ottavo_mese maanden_zwanger
        weken_zwanger in_verwachting attend_un_bébé attendons_un_bébé attends_un_bébé
        attend_un_enfant esperamos_un_bebé esperamos_un_hijo aspettiamo_un aspetta_un
        espera_um_bebé esperamos_um_bebé bed_rest bettruhe reposo_absoluto repos_strict repouso
        toxo placenta* previa cervix kaiserschnitt c_section cesárea césarienne cesareo keizersnede
        stille_noch still_nursing nursing_mother gynecolog* gynäkolog* ginecólog* ginecolog*
        gynécolog* preterm frühgeburt pregnan* expecting_a trimester* due_date weeks_along
        weeks_gone breastfeed* breast_feed* schwanger* stille stillt stillend entbindung*
        geburtstermin ssw embaraz* encinta gestación lactan* amamant* enceinte* grossesse* allait*
        terme incinta gravidanza allatt* zwanger* borstvoeding uitgerekend grávid* gravidez
        gestante miscarr* fehlgeburt* ivf
    """,
    "blood_group": """
        blood_group blood_type blutgruppe* grupo_sanguíneo groupe_sanguin gruppo_sanguigno
        bloedgroep* tipo_sanguíneo rhesus rh_negative rh_neg o_negative o_neg ab_negative
        organ_donor dnr organspende* patientenverfügung advance_directive living_will jehova*
        jéhovah testigo_de_jehová
    """,
    # Things that hurt people.
    "hazard": """
        bandsaw kreissäge* circular_saw table_saw lathe drehbank drehmaschine torno tour_à_métaux
        tornio draaibank press_brake well_without notaus* not_aus emergency_stop e_stop
        arrêt_d'urgence parada_de_emergencia noodstop überbrückt bridged bypassed_guard weedkiller
        weed_killer unkrautvernicht* herbicid* désherbant* diserbant* onkruidverdelg* matamalezas
        pesticid* rat_poison rattengift raticid* mort_aux_rats gas_alarm gas_leak leaks_gas gasleck
        fuga_de_gas fuite_de_gaz fuga_di_gas gaslek vazamento_de_gás gashahn gasherd gasgerät
        gas_tap gas_bottle allume_le_gaz enciende_el_gas turns_on_the_gas le_gaz de_gaz gaz
        fermentat* gärgas* kohlensäure anidride anhídrido monossido monoxide détecteur_de_co
        détecteur_de_fumée co_detector co_melder rauchwarnmelder leddern sprosse* rung rungs
        échelon peldaño* piolo degrau degrau* escalon* gradino gradini traptrede pozo_sin_tapa
        manhole schacht* grube fosse fosa pit_in falls_in fällt_rein steep_drop metre_drop
        meter_drop drop_of steilhang* abgrund précipice precipicio dirupo afgrond bluff crevasse*
        gletscher* main_road busy_road bundesstraße straße_raus nationale rn autobahn autopista
        highway motorway carretera deep_water deep_end current undertow strömung* rip_tide tide
        tides ebbe_und flut marée* marea* boot_ohne life_jacket life_vest schwimmweste*
        chaleco_salvavidas gilet_de_sauvetage giubbotto colete reddingsvest* armbands
        schwimmflügel* manguitos brassards braccioli zwembandjes braçadeiras nager nadar nuotare
        swim_alone schwimmen_allein can't_swim ne_sait_pas_nager isolate isolated de_energise
        abschalten_vor corta_la_llave coupe_le_courant stacca_la_corrente hot_surface hot_oil
        deep_fryer fritteuse* boiling kochend* hervi* bouillant* bollente kokend* fervendo matches
        lighter* streichhölzer feuerzeug* cerillas encendedor allumettes briquet fiammiferi
        accendino lucifers aansteker fósforos isqueiro candle* kerze* vela_encendida firework*
        feuerwerk* fuegos_artif* feu_d'artifice dog_snaps snaps_at schnappt beißt_fremde kicks
        tritt_aus patea coces rue_des calcia schopt escoice* bull_pen stallion hengst semental
        étalon stallone wander wanders wandering läuft_weg wegläuft run_off runs_off bolts
        se_escapa s'échappe scappa loopt_weg foge sleeps_with stun_gun munition* rounds_of
        cartridges patronen cartuch* cartouche* cartucce tresor waffenschrank gun_safe gun_cabinet
        tow tows tows_with trailer_hitch hitch anhängerkupp* fährt_nicht_mehr remolque attelage
        gancio trekhaak reboque black_ice glatteis* earthquake* erdbeben* terremoto* séisme tsunami
        hurricane* flood* hochwasser* inundac* inondat* alluvion* overstrom* wildfire* waldbrand*
        lift_shaft freight_elevator lastenaufzug aufzug_kaputt montacarg* counterweight crush
        crushed quetsch* aplast* écras* schiaccia* trampolin* seat_belt isofix kindersitz*
        child_seat silla_del_coche siège_auto seggiolino autostoeltje cadeirinha rear_facing
        choking_hazard kleinteile small_parts magnets magnete* imanes aimants button_cell
        knopfzelle* pila_botón pile_bouton gas electric* live_wire wiring voltage mains socket
        sockets fuse earthed fire flames burn burns scald* bleach ammonia acid acids solvent*
        chemicals petrol propane carbon_monoxide co_alarm smoke_alarm asbestos mould lead_paint
        radon poison* toxic venom* ladder ladders roof scaffold* cliff railing rotten brakes brake
        tyre tyres pond pool river lake swim swims drown* unguarded blade blades saw chainsaw*
        guillotine gun guns rifle* ammunition knife knives forklift* crane harness helmet goggles
        visor gloves lockout isolator bull bites bite snapped biter dog_bites tractor pto silo
        slurry trapdoor hatch cellar_steps avalanche balcony window_guard stairs stair step steps
        seatbelt car_seat button_batter* socket_covers unsafe dangerous danger hazard* explod*
        explos* strom stromschlag steckdose* elektr* leitung geerdet sicherung feuer brennt
        verbrenn* verbrüh* bleiche chlor säure* ammoniak lösungsmittel benzin gasflasche* gasgeruch
        kohlenmonoxid* rauchmelder* asbest* schimmel giftig* gift* leiter dach gerüst* geländer
        morsch* bremse* reifen teich* schwimmen ertrink* ertrunken brunnen messer säge* kettensäge*
        gewehr* waffe* stapler kran helm schutzbrille handschuh* bulle beißt gebissen traktor
        zapfwelle gülle treppe* stufe* lawine* balkon fenster gefähr* gefahr explosi* kurzschluss
        herdplatte wackelkontakt eléctric* enchufe* corriente fusible fuego incendio* quema* lejía
        amoniaco amoníaco ácido* gasolina bombona* monóxido amianto veneno* tóxic* escalera* tejado
        techo azotea andamio* barandilla podrid* suelto frenos neumático* llanta* estanque alberca
        piscina* río ahogar* pozo* cuchilla* sierra* motosierra* arma armas pistola escopeta
        montacargas grúa arnés casco guantes toro muerde mordió peligr* explot* électri* prise*
        courant fil_dénudé fusibles feu incendie* brûl* javel ammoniac* acide* solvant* gazinière
        monoxyde amiante toxique* vénéneu* échelle* toit échafaudage* rambarde pourri* freins pneu*
        étang piscine* rivière noyer noyade puits lame* scie* tronçonneuse* fusil* arme* chariot
        grue harnais casque gants taureau mord mordu tracteur danger* plaque elettric* presa prese
        corrente fuoco brucia* candeggina ammoniaca acido* benzina bombola veleno* velenos* tossic*
        tetto ponteggi* ringhiera marcio marcia freni gomme laghetto stagno piscina fiume annega*
        pozzo lama motosega fucile muletto carrello gru imbracatura guanti morde morso trattore
        pericol* fornello elektrisch* stopcontact* stroom zekering vuur brand brandt bleek chloor
        zuur benzine gasfles koolmonoxide asbest gif ladder* dak steiger* leuning verrot remmen
        vijver* zwembad rivier zwemmen verdrinken messen zaag kettingzaag geweer wapen heftruck
        kraan harnas handschoenen stier bijt gebeten trekker gevaar* trap trede* elétric* tomada*
        fogo incêndio* queima* água_sanitária amônia botijão escada* telhado andaime* corrimão
        podre freio* freios pneus lago lagoa rio afog* poço* lâmina* serra* motosserra* espingarda
        empilhadeira guindaste capacete luvas touro mordeu trator perig*
    """,
    "emergency": """
        red_button roter_knopf roten_knopf botón_rojo bouton_rouge pull_cord red_cord notruf*
        notrufknopf hausnotruf johanniter malteser pendant_alarm medallón médaillon présence_verte
        teleasistencia téléassistance telesoccorso alarmknop pulseira_de_emergência teleassist*
        dial_999 call_999 ring_999 rufst_112 112_rufen meeting_point sammelpunkt sammelplatz
        punto_de_encuentro point_de_rassemblement punto_di_raccolta verzamelpunt ponto_de_encontro
        we_all_meet we_meet_at in_a_fire if_there's_a_fire bei_feuer en_caso_de in_caso_di
        in_geval_van em_caso_de en_cas_de im_notfall im_ernstfall wenn_was_ist falls_was_passiert
        if_anything_happens if_i_don't_answer doesn't_answer does_not_answer doesn't_pick_up
        nicht_rangeht nicht_abhebt meldet_sich_nicht no_contesta ne_répond_pas ne_décroche
        décroche_pas non_risponde neemt_niet_op não_atende emergency_contact notfallkontakt
        contacto_de_emergencia next_of_kin spare_key ersatzschlüssel llave_de_repuesto
        call_me_first rings_me rufen_zuerst ring_first fire_extinguisher* feuerlöscher* extintor*
        extincteur* estintor* brandblusser* defib aed first_aid erste_hilfe verbandskasten
        primeros_auxilios premiers_secours pronto_intervento eerste_hilfe primeiros_socorros
        escape_route fluchtweg* salida_de_emergencia issue_de_secours uscita_di_emergenza
        nooduitgang shelter_in emergency emergencies ambulance 999 911 112 samu a&e hospital ward
        paramedic* casualty poison_control evacuat* notfall* notarzt* krankenwagen rettung*
        krankenhaus klinik feuerwehr emergencia* ambulancia bomberos urgence* pompiers hôpital
        emergenz* ambulanza ospedale pronto_soccorso noodgeval* nood ziekenhuis brandweer
        emergência* ambulância bombeiros lifeline panic_button
    """,
    "clinician": """
        doctor doctors gp consultant cardiologist* neurologist* oncologist* surgeon* surgery nurse
        midwife dentist specialist* pharmacist physio vet arzt ärztin ärzte hausarzt kardiolog*
        neurolog* onkolog* chirurg* hebamme zahnarzt facharzt apotheker* tierarzt médico médica
        cardiólog* neurólog* oncólog* ciruj* enfermer* matrona dentista veterinari* médecin docteur
        cardiologue neurologue oncologue chirurgien* infirmi* sage_femme dentiste vétérinaire*
        medico dottore dottoressa cardiolog* chirurgo ostetrica arts dokter huisarts cardioloog
        neuroloog chirurg verpleeg* tandarts dierenarts operation op operación opération operazione
        operatie cirurgia
    """,
    # Locked away, guarded, collected by nobody else.
    "guarded": """
        locked lock locks padlock* key keys chained chain deadbolt double_locked kept_shut
        stays_shut screwed_shut out_of_reach childproof* child_lock gate gates abgeschlossen
        abgesperrt vorhängeschloss schlüssel kette verriegel* zugesperrt zu_sein bleibt_zu hoftor
        gartentor candado llave llaves cerrado_con portón verja cadenas cadenassé* clé clés
        fermé_à_clé portail portillon verrou* chiuso_col lucchetto chiave chiavi cancello
        cancelletto hangslot sleutel* op_slot hek cadeado chave chaves portão trancad* fechad*
        pick_up picks_up collect collects collected collection pickup abholen abgeholt abholung
        recoger recogen recogemos retirar récupérer récupère chercher_à ritirare ritiriamo
        prendere_a ophalen opgehaald buscar_o buscar_a busca_a busca_o nursery kindergarten kita
        crèche daycare guardería colegio asilo opvang creche escola school_gate stranger strangers
        fremde* extraños inconnus sconosciuti vreemden estranhos
    """,
    # Words that leave no room.
    "absolute": """
        darf_nur dürfen_nur only_i only_me only_my just_me_and solo_yo solo_io alleen_ik só_eu
        seuls_mon seuls_ma seul_moi moi_seul nur_mein* allein_ich nur_meine_mutter not_before
        nicht_vor nicht_ohne niet_zonder nobody nobody_touches nobody_opens nobody_goes no_one
        niemand keiner_darf keiner_steigt niemand_darf darf_keiner darf_niemand personne
        nessuno_tocca personne_ne ninguém_mexe nadie_toca nadie_sube nadie_entra nunca_se nunca_le
        jamais_dans mai_lasciar whatsoever zero strict strikt streng kategorisch categóric*
        catégoriqu* categoric* bis_auf_weiteres for_life a_vita à_vie de_por_vida lebenslang
        levenslang para_siempre has_to have_to_keep needs_to_work must_work must_run must_fit
        muss_laufen muss_ohne tiene_que_funcionar doit_marcher doit_fonctionner deve_andare
        deve_funzionare moet_werken tem_que_rodar tem_que_funcionar always immer_zu_zweit two_of_us
        two_people zu_zweit entre_dos à_deux in_due met_zijn_tweeën otherwise sonst otherwise_it
        sinon si_no altrimenti anders senão interdit_de allowed_only erst_mit erst_nach only_after
        hasta_que tant_que finché zolang enquanto_não zwei_freigaben no_photos no_pictures
        keine_fotos nada_de pas_de_photos niente_foto geen_foto's sem_fotos nobody_knows
        niemand_weiß weiß_es_noch_nicht doesn't_know_yet don't_know haven't_told no_lo_sabe
        no_saben ne_sait_pas ne_savent_pas non_lo_sa weet_het_niet não_sabe under_no_circumstances
        on_no_account no_exceptions without_exception non_negotiable not_negotiable full_stop
        not_ever never_ever must_never must_not may_not not_allowed isn't_allowed aren't_allowed
        not_permitted forbidden prohibited banned strictly hard_limit at_all_costs at_most
        no_more_than not_more_than not_a_penny not_a_cent one_cent_more penny_more won't_stretch
        absolute_maximum absolute_max ceiling cap capped maximum tops only_ever nobody_but
        no_one_but no_one_else nobody_else nothing_else only_if only_with only_when not_without
        never_without never_alone not_alone unsupervised left_alone not_even not_a_single by_law
        legally required mandatory compulsory life_and_death out_of_bounds off_limits
        auf_keinen_fall unter_keinen_umständen keinesfalls niemals ohne_ausnahme ausnahmslos
        ausnahme nicht_verhandelbar strengst* verboten* untersagt pflicht vorgeschrieben
        allerhöchstens höchstens maximal mehr_als keinen_cent kein_cent obergrenze darf_nicht
        dürfen_nicht darf_nie dürfen_nie darf_kein* nur_mit nur_wenn nie_ohne nie_allein
        nicht_allein niemand_außer sonst_niemand nur_ich nicht_mal ausschließlich zwingend
        unbedingt absolut bajo_ningún_concepto en_ningún_caso de_ninguna_manera por_nada_del_mundo
        sin_excepción sin_excepciones innegociable ni_un ni_una ni_de_broma prohibid* como_máximo
        máximo no_más_de ni_un_euro ni_un_peso no_puede* no_debe* no_pued* nadie solo_con sólo_con
        nunca_sin no_sin nunca_sol* nadie_más obligatori* estrictamente en_aucun_cas
        sous_aucun_prétexte surtout_pas hors_de_question sans_exception non_négociable interdi*
        pas_un pas_une au_maximum plafond pas_plus pas_plus_de ne_doit ne_doivent ne_peut
        ne_peuvent personne_d'autre uniquement seulement_avec jamais_sans pas_sans jamais_seul*
        strictement obligatoire* impératif impérativement per_nessun_motivo in_nessun_caso
        assolutamente mai_più mai_al mai_a mai_in mai_dare mai_lasciare e_mai senza_eccezioni
        vietat* proibit* al_massimo massimo tetto non_più_di non_deve non_devono non_può nessuno
        mai_senza mai_da_sol* nessun_altro obbligatori* tassativ* in_geen_geval onder_geen_beding
        absoluut zonder_uitzondering verboden uitgesloten hooguit maximaal hoogstens niet_meer_dan
        geen_cent mag_niet mogen_niet mag_geen alleen_met nooit_zonder nooit_alleen niet_alleen
        niemand_anders verplicht em_hipótese_alguma de_jeito_nenhum sob_nenhuma jamais sem_exceção
        inegociável proibid* no_máximo teto nem_um nem_uma nem_pensar não_pode* não_deve* ninguém
        só_com nunca_sem nunca_sozinh* mais_ninguém obrigatóri* rigorosamente
    """,
    # What hard limits are about beside bodies: secrets, law, money, places without a network.
    "limit": """
        on_a_tag within_budget visto récépissé permesso_di_soggiorno aufenthaltserl* work_permit
        arbeitserlaubnis student_visa ankle_tag fußfessel tobillera bracelet_électronique
        hours_a_week stunden_pro hours_per_week horas_semanales heures_par_semaine ore_a_settimana
        uren_per_week freibetrag* minijob chiffre_d'affaires seuil límite_de limite_de soglia
        drempel guarantor insolven* privatinsolvenz individual_voluntary bailiff*
        gerichtsvollzieher embargad* saisie pfändung* offline* firmware kilobytes latency
        response_time millisecond* on_site encrypt* verschlüssel* cifrad* chiffr* crittograf*
        versleutel* criptograf* password* passwort passwörter contraseña* mot_de_passe wachtwoord*
        senha* production_data force_push listed_building denkmalschutz* bien_protegido
        monument_historique ethics_board ethik* comité_de_ética insurance_says
        versicherung_verlangt anonym* anónim* names_of pseudonym* whistleblow* testigo_protegid*
        shelter frauenhaus stalker* stalking maltrat* violent gewalttätig* violento ex_husband
        ex_wife my_ex mein_ex meine_ex mi_ex mon_ex il_mio_ex mijn_ex meu_ex secretly inheritance
        adoption adopti* adoptier* surprise_party über_die_grenze territoire leave_the_country
        leave_the_house leave_the_district leave_our subletting sublet untervermiet* subarrend*
        sous_lou* subaffitt* onderverhu* subloc* overtime überstunden meldepflicht loan mortgage
        hipoteca prêt mutuo hypotheek hypothek kredit crédito confidential* nda non_disclosure
        embargo* secret secrecy classified gdpr hipaa privacy customer_data client_data
        patient_data personal_data restraining custody court probation parole visa permit licence
        license lease contract non_compete curfew bail compliance audit budget overdraft rent spend
        afford bankrupt* debt* spending offline internet without_internet without_a_connection wifi
        network connection air_gapped on_premise on_prem leave_the_building backup* production prod
        review approval sign_off merge deploy push gpl agpl copyright photos_of pictures_of online
        kosher halal vegan* vegetarian* ramadan fasting pork teetotal* sabbath shabbat address
        vertraulich* verschwiegen* geheim* schweigepflicht datenschutz* dsgvo kundendaten
        patientendaten personaldaten personenbezogen* sorgerecht kontaktverbot annäherungsverbot
        gericht* bewährung visum aufenthalt* duldung führerschein mietvertrag vertrag konkurrenz*
        wettbewerbsverbot sperrfrist schulden dispo miete ausgeben netz ohne_internet ohne_netz
        cloud freigabe* koscher vegetari* schweinefleisch fasten alkohol adresse confidencial*
        secreto privacidad protección_de_datos datos_de_clientes datos_de_pacientes custodia
        orden_de_alejamiento juez jueza juzgado visado permiso contrato alquiler presupuesto gastar
        deuda* sin_internet sin_conexión sin_red nube producción revisión cerdo ramadán ayuno
        confidentiel* rgpd données garde juge tribunal contrôle_judiciaire titre_de_séjour permis
        contrat clause préavis dépenser dettes découvert loyer hors_ligne sans_internet
        sans_connexion sans_réseau réseau végan* végétari* porc hallal casher jeûne riservat*
        segret* dati affidamento giudice tribunale permesso contratto affitto bilancio spendere
        debiti senza_internet senza_linea senza_rete maiale digiuno vertrouwelijk* avg
        klantgegevens patiëntgegevens gegevens voogdij rechter straatverbod contactverbod
        vergunning huur begroting uitgeven zonder_internet varkensvlees vasten confidencia* sigilo
        segredo lgpd dados guarda juiz medida_protetiva aluguel aluguer orçamento dívida*
        sem_internet sem_rede sem_conexão porco jejum
    """,
    # What a body may not do or take.
    "unable": """
        don't_drive_at no_longer_drive stopped_driving conduis_plus ne_conduit_plus
        conduire_la_nuit fahre_kein fahr_im_dunkeln kein_auto conducir_de_noche manejar_de_noche
        guidare_di_notte rijd_niet dirigir_à_noite can't_be_left can't_be_alone cannot_be_left
        nicht_allein_bleiben no_puede_quedarse_sol* ne_peut_pas_rester non_può_restare
        kan_niet_alleen não_pode_ficar can't_manage can't_raise can't_reach can't_stand_for
        can't_sit can't_lie can't_run can't_go_up can't_touch can't_handle_heat heb_nichts
        hebe_nichts nichts_schweres nada_de_esfuerzos no_levantar sin_esfuerzo pas_d'effort
        ne_pas_porter pas_porter niente_sforzi niet_sporten sem_esforço saben_nadar sabe_nadar
        sait_pas_nager savent_pas_nager sanno_nuotare kann_noch_nicht_schwimmen kunnen_niet_zwemmen
        zwemmen_mag sabem_nadar i_rischio mangio_né mange_ni como_ni esse_kein* ess_kein*
        trinke_kein* trink_kein* bebo_nada bois_pas bevo_più no_lifting no_driving no_swimming
        no_alcohol no_running no_sport no_aspirin no_ibuprofen no_nuts no_dairy no_gluten
        kein_alkohol kein_sport keine_milch ohne_gluten sin_gluten sans_gluten senza_glutine
        glutenvrij sem_glúten glutenfrei* gluten_free lactose_free laktosefrei* signed_off_work
        off_sick krankgeschrieben de_baja arrêt_de_travail en_arrêt in_malattia ziekgemeld atestado
        can't_eat can't_have cannot_eat cannot_have can't_take cannot_take can't_drink can't_lift
        cannot_lift can't_drive can't_climb can't_fly can't_swim cannot_swim can't_see can't_hear
        can't_breathe can't_walk can't_tolerate can't_be_near can't_go_near can't_handle
        can't_do_stairs can't_kneel can't_bend can't_read can't_smell don't_eat doesn't_eat
        not_allowed_to no_longer_drives mustn't_eat mustn't_have mustn't_take mustn't_lift
        mustn't_drive shouldn't_take no_heavy_lifting allowed_to_lift allowed_to_drive darf_kein*
        darf_nichts darf_nicht_mehr nichts_heben nicht_heben nicht_schwimmen kann_nicht_schwimmen
        kein_auto_mehr nicht_fahren nicht_essen keine_treppen no_puedo_comer no_puede_comer
        no_puedo_tomar no_puede_tomar no_puedo_cargar no_puedo_beber no_puedo_conducir
        no_puede_conducir no_puedo_manejar no_sabe_nadar no_puedo_con ne_peux_pas_manger
        ne_peut_pas_manger ne_sait_pas_nager peux_pas_manger ne_supporte_pas supporte_pas
        ne_peut_pas_porter ne_peut_plus_conduire ne_conduis_pas non_posso_mangiare non_può_mangiare
        non_posso_prendere non_sa_nuotare non_posso_bere non_guido non_può_guidare niet_eten
        mag_geen mag_ik_niet kan_niet_zwemmen niet_zwemmen niet_tillen niet_rijden kan_niet_tegen
        não_posso_comer não_pode_comer não_posso_tomar não_pode_tomar não_sabe_nadar
        não_posso_beber não_posso_com eu_não_posso
    """,
    # What a joke is allergic to.
    "dull": """
        monday* meeting meetings work working housework exercise jazz mornings morning
        emails paperwork small_talk alarm effort gym montag* arbeit sitzung*
        teamsitzung* besprechung* aufstehen wecker hausarbeit sport lunes reunion* reuniones
        trabajar trabajo madrugar despertador lundi lundis réunion* travail travailler réveil
        lunedì riunion* lavoro lavorare sveglia maandag* vergader* werk werken wekker segunda
        reuni* trabalho trabalhar acordar
        spreadsheet* jargon nonsense bureaucra* bürokrat* burocra* burocrac* drama lies politics
        laune lügen dummheit* hektik mauvaise_foi bêtise* mensonge* paperasse hypocrisie tonterías
        mentiras mal_humor bugie stupidità leugens domheid gezeur
    """,
    # Sayings in which the words above mean nothing.
    "saying": """
        dying_for dying_to to_die_for killing_me kills_me killed_it bored_to_death scared_to_death
        sick_of heart_set by_heart with_all_my_heart broke_my_heart heartbroken allergic_to_mondays
        allergic_to_meetings allergic_to_mornings over_my_dead drop_dead dead_tired dead_on
        deadline* dead_easy blind_date blind_spot can't_stand couldn't_stand can't_wait
        can't_believe won't_hurt cost_an_arm pain_in_the headache_of addicted_to addict on_fire
        like_a_drug choked_up faint_idea breath_of drives_me driving_me never_again never_mind
        gave_me_a_heart_attack giving_me_a_heart_attack on_life_support reinste_herzinfarkt
        reiner_herzinfarkt me_dio_un_infarto da_infarto donne_de_urticaire donne_la_migraine
        small_talk zum_sterben todlangweilig todmüde sterbenslangweilig herzlich*
        halsabschneider krank_im
        mir_reicht's tod_und me_muero muero_de muero_por me_mata muerto_de muerta_de de_corazón
        mort_de_rire morte_de_rire crever mourir_de à_mourir meurs_d'envie coup_de_cœur par_cœur
        muoio_di muoio_dalla da_morire morto_dal a_cuore dood_moe doodmoe zum_totlachen
        doodgaan_van sterf_van me_mata_de morrendo_de morro_de de_coração de_cor
    """,
}
NAMES = tuple(_TOPICS)
_DOSE_NEEDS = (
    "mg|mcg|µg|μg|ml|unit|iu|ie|einheiten|unidades|eenheden|tablet|pill|comprim|gocce|drops"
    "|tropfen|gotas|puff| day| week|am tag|täglich|al día|par jour|al giorno|per dag|por dia"
    "|ao dia"
)
_DOSE = Needing(
    r"\b\d+(?:[.,]\d+)?\s?(?:mg|mcg|µg|ml|units?|iu|ie|einheiten|unidades|unités|unità|eenheden"
    r"|tablets?|pills?|tabletten?|comprimidos?|comprimés?|gocce|drops|tropfen|gotas|puffs?)\b"
    r"|\b(?:twice|once|three times|[23]x) (?:a|per) (?:day|week)\b"
    r"|\b(?:zwei|drei)mal (?:am Tag|täglich)\b"
    r"|\b(?:dos|tres|una) ve(?:z|ces) al día\b|\b(?:deux|trois|une) fois par jour\b"
    r"|\b(?:due|tre|una) volt[ae] al giorno\b|\b(?:twee|drie|één) ?keer per dag\b"
    r"|\b(?:duas|três|uma) vez(?:es)? (?:ao|por) dia\b",
    re.IGNORECASE,
    _DOSE_NEEDS.split("|"),
)
_ELIDED = late(r"^(?:[cdjlmnst]|qu|un|all|dall|dell|nell|sull)'(?=\w)")
_LONG = 7  # letters of a compound, in which parts are sought


class _Words:
    """The words of all topics, by how they are sought."""

    def __init__(self) -> None:
        # As they are written, stars and all: to part 4,200 words took 4 ms of a cold `remember`.
        self.written: dict[str, tuple[str, ...]] = {}
        self.held: list[tuple[str, str]] = []
        self.several: dict[str, list[tuple[str, str]]] = {}  # the words after the first one
        for topic, text in _TOPICS.items():
            words = text.split()
            add_words(self.written, words, topic)
            self.held += [(one[1:-1], topic) for one in words if one[0] == "*" == one[-1]]
            for phrase in [word.lower() for word in words if "_" in word]:
                first, _, rest = phrase.partition("_")
                self.several.setdefault(first.rstrip("*"), []).append((rest, topic))

    def of_word(self, word: str) -> Iterator[str]:
        """The topics of one word in lower case, which has no star and no '_'."""
        written = self.written
        yield from written.get(word, ())
        size = len(word)
        for length in range(1, size + 1):
            yield from written.get(f"{word[:length]}*", ())
        for length in range(1, size - 1):  # two letters more than an ending
            yield from written.get(f"*{word[-length:]}", ())
        if size >= _LONG:
            for part, topic in self.held:
                if part in word:
                    yield topic

    def of_several(self, words: Sequence[str], place: int) -> Iterator[str]:
        """The topics of sayings of several words that begin at a place."""
        for told, topic in self.several.get(words[place], ()):
            rest = told.split("_")
            there = words[place + 1 : place + 1 + len(rest)]
            if len(there) == len(rest) and all(map(_fits, rest, there)):
                yield topic


def _fits(pattern: str, word: str) -> bool:
    return word.startswith(pattern[:-1]) if pattern[-1] == "*" else word == pattern


_WORDS = _Words()


def stakes_of(text: str, words: Sequence[str]) -> set[str]:
    """The topics of a sentence, out of NAMES and 'dose'; `words` are its own in lower case."""
    bare = [_ELIDED.sub("", word) if "'" in word else word for word in words]
    found = {"dose"} if _DOSE.search(text) else set()
    for place, word in enumerate(bare):
        found.update(_WORDS.of_word(word))
        found.update(_WORDS.of_several(bare, place))
    return found
