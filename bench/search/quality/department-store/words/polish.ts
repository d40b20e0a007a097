import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const polish: StoreWords = {
  locale: 'pl',
  kinds: `
    shoe | m | but | buty / butów | butami, buta, butach
    boot | m | kozak | kozaki / kozaków | kozakami
    sandal | m | sandał | sandały / sandałów | sandałami
    slipper | m | kapeć | kapcie / kapci | kapciami
    running shoe < shoe | m | but do biegania | buty do biegania / butów do biegania
    hiking boot < shoe | m | but trekkingowy | buty trekkingowe / butów trekkingowych
    child's shoe < shoe | m | but dziecięcy | buty dziecięce / butów dziecięcych
    dress | f | sukienka | sukienki / sukienek | sukienkę, sukienką, sukience
    summer dress < dress | f | sukienka letnia | sukienki letnie / sukienek letnich | letnią sukienkę
    shirt | f | koszula | koszule / koszul | koszulę, koszulą
    t-shirt | f | koszulka | koszulki / koszulek | koszulkę
    blouse | f | bluzka | bluzki / bluzek | bluzkę, bluzką
    skirt | f | spódnica | spódnice / spódnic | spódnicę, spodnica
    pants | p | spodnie | spodnie / spodni | spodniami, spodniach
    jacket | f | kurtka | kurtki / kurtek | kurtkę, kurtką
    winter jacket < jacket | f | kurtka zimowa | kurtki zimowe / kurtek zimowych | zimową kurtkę
    coat | m | płaszcz | płaszcze / płaszczy | płaszcza, płaszczem
    raincoat < coat | m | płaszcz przeciwdeszczowy | płaszcze przeciwdeszczowe / płaszczy przeciwdeszczowych
    sweater | m | sweter | swetry / swetrów | swetra, swetrem
    sock | f | skarpeta | skarpety / skarpet | skarpetami
    hat | m | kapelusz | kapelusze / kapeluszy | kapelusza, kapeluszem
    glove | f | rękawiczka | rękawiczki / rękawiczek | rękawiczkami
    scarf | m | szalik | szaliki / szalików | szalika, szalikiem
    belt | m | pasek | paski / pasków | paska, paskiem
    bag | f | torba | torby / toreb | torbę, torbą
    handbag | f | torebka | torebki / torebek | torebkę, torebką
    backpack | m | plecak | plecaki / plecaków | plecaka, plecakiem
    suitcase | f | walizka | walizki / walizek | walizkę
    wallet | m | portfel | portfele / portfeli | portfela
    umbrella | m | parasol | parasole / parasoli | parasola
    watch | m | zegarek | zegarki / zegarków | zegarka
    sunglasses | p | okulary słoneczne | okulary słoneczne / okularów słonecznych | okulary sloneczne
    chair | n | krzesło | krzesła / krzeseł | krzesłem, krzesle
    table | m | stół | stoły / stołów | stołu, stole, stolu
    coffee table | m | stolik kawowy | stoliki kawowe / stolików kawowych | stolika kawowego
    sofa | f | kanapa | kanapy / kanap | kanapę | | sofa
    bed | n | łóżko | łóżka / łóżek | łóżkiem, lozko
    shelf | m | regał | regały / regałów | regału
    wardrobe | f | szafa | szafy / szaf | szafę
    mirror | n | lustro | lustra / luster | lustrem
    lamp | f | lampa | lampy / lamp | lampę, lampą
    desk lamp < lamp | f | lampa biurkowa | lampy biurkowe / lamp biurkowych | lampę biurkową
    mattress | m | materac | materace / materacy | materaca
    pillow | f | poduszka | poduszki / poduszek | poduszkę
    blanket | m | koc | koce / koców | kocem
    towel | m | ręcznik | ręczniki / ręczników | ręcznika, recznik
    curtain | f | zasłona | zasłony / zasłon | zasłonę
    carpet | m | dywan | dywany / dywanów | dywanu
    vase | m | wazon | wazony / wazonów | wazonu
    candle | f | świeca | świece / świec | świecę
    knife | m | nóż | noże / noży | noża, nożem
    bread knife < knife | m | nóż do chleba | noże do chleba / noży do chleba
    spoon | f | łyżka | łyżki / łyżek | łyżkę
    fork | m | widelec | widelce / widelców | widelca
    plate | m | talerz | talerze / talerzy | talerza
    cup | f | filiżanka | filiżanki / filiżanek | filiżankę
    mug | m | kubek | kubki / kubków | kubka, kubkiem
    glass | m | kieliszek | kieliszki / kieliszków | kieliszka
    wine glass < glass | m | kieliszek do wina | kieliszki do wina / kieliszków do wina
    pot | m | garnek | garnki / garnków | garnka
    pan | f | patelnia | patelnie / patelni | patelnię
    kettle | m | czajnik | czajniki / czajników | czajnika
    bowl | f | miska | miski / misek | miskę
    bottle | f | butelka | butelki / butelek | butelkę
    coffee machine | m | ekspres do kawy | ekspresy do kawy / ekspresów do kawy | ekspresu do kawy
    toaster | m | toster | tostery / tosterów | tostera
    phone | m | telefon | telefony / telefonów | telefonu
    headphones | f | słuchawka | słuchawki / słuchawek | słuchawkami
    charger | f | ładowarka | ładowarki / ładowarek | ładowarkę
    cable | m | kabel | kable / kabli | kabla
    keyboard | f | klawiatura | klawiatury / klawiatur | klawiaturę
    ball | f | piłka | piłki / piłek | piłkę
    doll | f | lalka | lalki / lalek | lalkę
    bicycle | m | rower | rowery / rowerów | roweru
    helmet | m | kask | kaski / kasków | kasku
    tent | m | namiot | namioty / namiotów | namiotu
    sleeping bag | m | śpiwór | śpiwory / śpiworów | śpiwora
    hammer | m | młotek | młotki / młotków | młotka
    drill | f | wiertarka | wiertarki / wiertarek | wiertarkę
    saw | f | piła | piły / pił | piłą
    ladder | f | drabina | drabiny / drabin | drabinę
    bucket | n | wiadro | wiadra / wiader | wiadrem
    watering can | f | konewka | konewki / konewek | konewkę
    shovel | f | łopata | łopaty / łopat | łopatę
    toothbrush | f | szczoteczka do zębów | szczoteczki do zębów / szczoteczek do zębów`,
  colours: `
    red | czerwony | czerwony/czerwona/czerwone | czerwone | czerwoną, czerwonego, czerwonych
    blue | niebieski | niebieski/niebieska/niebieskie | niebieskie | niebieską, niebieskiego, niebieskich
    black | czarny | czarny/czarna/czarne | czarne | czarną, czarnego, czarnych
    white | biały | biały/biała/białe | białe | białą, białego, białych
    green | zielony | zielony/zielona/zielone | zielone | zieloną, zielonego, zielonych
    yellow | żółty | żółty/żółta/żółte | żółte | żółtą, żółtego
    grey | szary | szary/szara/szare | szare | szarą, szarego, szarych
    brown | brązowy | brązowy/brązowa/brązowe | brązowe | brązową, brązowego`,
  coloured: '{adjective} {kind}',
  materials: list('ze_skóry z_drewna_dębowego z_bawełny z_wełny ze_stali z_tworzywa z_lnu z_bambusa'),
  departments: list(
    'Obuwie Odzież Bagaż_i_dodatki Dom_i_meble Tekstylia_domowe Kuchnia Elektronika Zabawki_i_sport Narzędzia_i_ogród',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{kind} {model} {adjective}',
    '{brand} {kind} {model} {material}',
    '{kind} {model}, kolor {colour}',
  ],
  goesWith: [
    'Pasuje do naszych {one.genitive} i {other.genitive}.',
    'Zobacz także nasze {one} oraz {other}.',
    'Często kupowane razem: {one} lub {other}.',
  ],
  fillers: [
    'Starannie wykonane w małej serii.',
    'Nasi klienci cenią ten model od lat.',
    'Prezent, który ucieszy każdego.',
    'Dostawa w ciągu trzech dni roboczych.',
    'Prosta forma na co dzień.',
    'Od rodzinnej firmy w trzecim pokoleniu.',
  ],
  features: `
    Powierzchnia jest odporna na zarysowania. | odporne na zarysowanie
    Tkanina jest oddychająca. | oddychające tkaniny
    Certyfikat niezależnego laboratorium. | niezależne laboratorium
    Zaprojektowane przez duńskiego architekta. | duński architekt
    Opakowanie jest kompostowalne. | kompostowalne opakowania
    Z pięcioletnią gwarancją. | gwarancja pięcioletnia
    Odpowiednie dla alergików. | alergik
    Szyte ręcznie w Portugalii. | portugalia ręcznie szyty
    Składa się na płasko. | składany na płasko
    Montaż bez śrub. | montaż bez śruby
    Szybko schnie po deszczu. | szybko schnący deszcz
    Przyjazne dla skóry i bezwonne. | bezwonny`,
  withSmallWords: [
    '{adjective} {kind} do ogrodu',
    '{kinds} w kolorze {colour}',
    'te {adjectives} {kinds} z',
    'kilka {genitive} dla domu',
  ],
  withRequests: [
    'szukam {genitive} dla mojej córki kolor {colour}',
    'gdzie kupić tanie {kinds} w kolorze {colour}',
    'czy macie {adjectives} {kinds} do pracy',
  ],
  unknown: list('astronauta wodospad parlament qwerty'),
  sentences: `
    buty dla mojego syna rozmiar 36 | shoe | | 36
    czerwoną sukienkę na wesele | dress | red
    czarnych kozaków rozmiar 38 | boot | black | 38
    ostre noże do kuchni | knife
    materaca 90 x 200 | mattress | | 90x200
    niebieskich kurtek rozmiar L | jacket | blue | L
    szukam czerwonej sukienki | dress | red
    z czarnym plecakiem | backpack | black
    rowerek dla dziecka | bicycle
    białego stołu | table | white
    w zielonej torbie | bag | green`,
};
