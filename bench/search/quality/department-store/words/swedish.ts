import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const swedish: StoreWords = {
  locale: 'sv',
  compounds: true,
  kinds: `
    shoe | m | sko | skor | skon, skorna
    boot | m | stövel | stövlar | stövlarna, stöveln
    sandal | m | sandal | sandaler | sandalerna
    slipper | m | toffel | tofflor | tofflorna
    running shoe < shoe | m | löparsko | löparskor | löparskorna | löpar skor
    hiking boot < shoe | m | vandringssko | vandringsskor | vandringsskorna | vandrings skor
    child's shoe < shoe | m | barnsko | barnskor | barnskorna | barn skor
    dress | m | klänning | klänningar | klänningen, klänningarna
    summer dress < dress | m | sommarklänning | sommarklänningar | sommarklänningen | sommar klänning
    shirt | m | skjorta | skjortor | skjortan, skjortorna
    blouse | m | blus | blusar | blusen
    skirt | m | kjol | kjolar | kjolen, kjolarna
    pants | m | byxa | byxor | byxorna
    jacket | m | jacka | jackor | jackan, jackorna
    winter jacket < jacket | m | vinterjacka | vinterjackor | vinterjackan | vinter jacka
    coat | m | kappa | kappor | kappan
    raincoat < coat | m | regnkappa | regnkappor | regnkappan | regn kappa
    sweater | m | tröja | tröjor | tröjan, tröjorna
    sock | m | strumpa | strumpor | strumporna
    hat | m | hatt | hattar | hatten
    glove | m | handske | handskar | handskarna
    scarf | m | halsduk | halsdukar | halsduken | hals duk
    belt | n | bälte | bälten | bältet
    bag | m | väska | väskor | väskan, väskorna
    handbag < bag | m | handväska | handväskor | handväskan | hand väska
    backpack | m | ryggsäck | ryggsäckar | ryggsäcken
    suitcase | m | resväska | resväskor | resväskan | res väska
    wallet | m | plånbok | plånböcker | plånboken
    umbrella | n | paraply | paraplyer | paraplyet
    watch | n | armbandsur | armbandsur | armbandsuret
    sunglasses | p | solglasögon | solglasögon | solglasögonen | sol glasögon
    chair | m | stol | stolar | stolen, stolarna
    office chair < chair | m | kontorsstol | kontorsstolar | kontorsstolen | kontors stol
    table | n | bord | bord | bordet, borden
    coffee table < table | n | soffbord | soffbord | soffbordet | soff bord
    dining table < table | n | matbord | matbord | matbordet | mat bord
    sofa | m | soffa | soffor | soffan, sofforna
    bed | m | säng | sängar | sängen, sängarna
    shelf | m | hylla | hyllor | hyllan
    bookshelf < shelf | m | bokhylla | bokhyllor | bokhyllan | bok hylla
    wardrobe | m | garderob | garderober | garderoben
    mirror | m | spegel | speglar | spegeln, speglarna
    lamp | m | lampa | lampor | lampan, lamporna
    desk lamp < lamp | m | skrivbordslampa | skrivbordslampor | skrivbordslampan | skrivbords lampa
    mattress | m | madrass | madrasser | madrassen
    pillow | m | kudde | kuddar | kudden, kuddarna
    blanket | m | filt | filtar | filten
    towel | m | handduk | handdukar | handduken | hand duk
    curtain | m | gardin | gardiner | gardinerna
    carpet | m | matta | mattor | mattan, mattorna
    vase | m | vas | vaser | vasen
    candle | n | stearinljus | stearinljus | stearinljuset | stearin ljus
    knife | m | kniv | knivar | kniven, knivarna
    bread knife < knife | m | brödkniv | brödknivar | brödkniven | bröd kniv
    spoon | m | sked | skedar | skedarna
    fork | m | gaffel | gafflar | gafflarna, gaffeln
    plate | m | tallrik | tallrikar | tallriken
    cup | m | kopp | koppar | kopparna
    glass | n | glas | glas | glasen, glaset
    wine glass < glass | n | vinglas | vinglas | vinglasen | vin glas
    pot | m | kastrull | kastruller | kastrullen
    pan | m | stekpanna | stekpannor | stekpannan | stek panna
    kettle | m | vattenkokare | vattenkokare | vattenkokaren | vatten kokare
    bowl | m | skål | skålar | skålen
    bottle | m | vattenflaska | vattenflaskor | vattenflaskan | vatten flaska
    coffee machine | m | kaffebryggare | kaffebryggare | kaffebryggaren | kaffe bryggare
    toaster | m | brödrost | brödrostar | brödrosten | bröd rost
    phone | m | telefon | telefoner | telefonen
    headphones | m | hörlur | hörlurar | hörlurarna
    charger | m | laddare | laddare | laddaren
    cable | m | kabel | kablar | kabeln, kablarna
    keyboard | n | tangentbord | tangentbord | tangentbordet | tangent bord
    ball | m | boll | bollar | bollen
    doll | m | docka | dockor | dockan
    bicycle | m | cykel | cyklar | cykeln, cyklarna
    helmet | m | hjälm | hjälmar | hjälmen
    bicycle helmet < helmet | m | cykelhjälm | cykelhjälmar | cykelhjälmen | cykel hjälm
    tent | n | tält | tält | tältet, tälten
    sleeping bag | m | sovsäck | sovsäckar | sovsäcken | sov säck
    hammer | m | hammare | hammare | hammaren
    drill | m | borrmaskin | borrmaskiner | borrmaskinen | borr maskin
    saw | m | såg | sågar | sågen
    ladder | m | stege | stegar | stegen
    bucket | m | hink | hinkar | hinken
    watering can | m | vattenkanna | vattenkannor | vattenkannan | vatten kanna
    shovel | m | spade | spadar | spaden
    toothbrush | m | tandborste | tandborstar | tandborsten | tand borste`,
  colours: `
    red | röd | röd/röd/rött | röda
    blue | blå | blå/blå/blått | blåa | blå
    black | svart | svart | svarta
    white | vit | vit/vit/vitt | vita
    green | grön | grön/grön/grönt | gröna
    yellow | gul | gul/gul/gult | gula
    grey | grå | grå/grå/grått | gråa | grå
    brown | brun | brun/brun/brunt | bruna`,
  coloured: '{adjective} {kind}',
  materials: list('läder ek bomull ull rostfritt_stål plast linne bambu'),
  departments: list(
    'Skodon Kläder Bagage_och_accessoarer Hem_och_möbler Hemtextil Kök Elektronik Leksaker_och_sport Bygg_och_trädgård',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{kind} {model} {colour}',
    '{brand} {kind} {model} i {material}',
    '{kind} {model}, färg {colour}',
  ],
  goesWith: [
    'Passar bra till våra {one} och {other}.',
    'Se även våra {one} och matchande {other}.',
    'Köps ofta tillsammans med {one} eller {other}.',
  ],
  fillers: [
    'Omsorgsfullt tillverkad i liten serie.',
    'Våra kunder har älskat modellen i åratal.',
    'En present som alla gillar.',
    'Levereras inom tre arbetsdagar.',
    'Enkel form för varje dag.',
    'Från ett familjeföretag i tredje generationen.',
  ],
  features: `
    Ytan är reptålig. | reptåliga ytor
    Tyget andas och är luftigt. | luftiga tyger
    Certifierad av ett oberoende laboratorium. | oberoende laboratorier
    Ritad av en dansk arkitekt. | danska arkitekter
    Förpackningen är komposterbar. | komposterbara förpackningar
    Med fem års garanti. | garanti fem år
    Lämplig för allergiker. | allergikern
    Sydd för hand i Portugal. | handsydd portugal
    Kan fällas ihop platt. | fälla ihop platt
    Montering utan skruvar. | montera utan skruv
    Torkar snabbt efter regn. | torkar snabb
    Hudvänlig och luktfri. | luktfria`,
  withSmallWords: [
    'en {adjective} {kind} för trädgården',
    '{kinds} i {colour}',
    'de {adjectives} {kinds} med',
    'några {adjectives} {kinds} till hemmet',
  ],
  withRequests: [
    'jag söker {adjectives} {kinds} till min dotter',
    'var kan jag köpa billiga {kinds} i {colour}',
    'har ni {adjectives} {kinds} för jobbet',
  ],
  unknown: list('astronaut vattenfall parlament qwerty'),
  sentences: `
    skor till min son storlek 36 | shoe | | 36
    röd klänning till bröllop | dress | red
    svarta damstövlar storlek 38 | boot | black | 38
    vassa knivar till köket | knife
    madrass 90x200 | mattress | | 90x200
    blåa jackor storlek L | jacket | blue | L
    barncykel | bicycle
    den svarta väskan | bag | black
    damskor | shoe
    det gröna tältet | tent | green`,
};
