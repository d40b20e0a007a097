import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const dutch: StoreWords = {
  locale: 'nl',
  compounds: true,
  kinds: `
    shoe | m | schoen | schoenen
    boot | m | laars | laarzen
    sandal | m | sandaal | sandalen
    slipper | m | pantoffel | pantoffels
    running shoe < shoe | m | hardloopschoen | hardloopschoenen | | hardloop schoenen
    hiking boot < shoe | m | wandelschoen | wandelschoenen | | wandel schoen
    child's shoe < shoe | m | kinderschoen | kinderschoenen | | kinder schoenen
    dress | m | jurk | jurken
    summer dress < dress | m | zomerjurk | zomerjurken | | zomer jurk
    shirt | n | overhemd | overhemden
    blouse | m | blouse | blouses
    skirt | m | rok | rokken
    pants | m | broek | broeken
    jacket | m | jas | jassen
    winter jacket < jacket | m | winterjas | winterjassen | | winter jas
    raincoat < jacket | m | regenjas | regenjassen | | regen jas
    sweater | m | trui | truien
    sock | m | sok | sokken
    hat | m | hoed | hoeden
    glove | m | handschoen | handschoenen | | hand schoenen
    scarf | m | sjaal | sjaals
    belt | m | riem | riemen
    bag | m | tas | tassen
    handbag < bag | m | handtas | handtassen | | hand tas
    backpack | m | rugzak | rugzakken | | rug zak
    suitcase | m | koffer | koffers
    wallet | m | portemonnee | portemonnees | portemonneetje
    umbrella | m | paraplu | paraplu's
    watch | n | horloge | horloges
    sunglasses | m | zonnebril | zonnebrillen | | zonne bril
    chair | m | stoel | stoelen | stoeltje
    office chair < chair | m | bureaustoel | bureaustoelen | | bureau stoel
    table | m | tafel | tafels | tafeltje
    coffee table < table | m | salontafel | salontafels | | salon tafel
    dining table < table | m | eettafel | eettafels | | eet tafel
    sofa | m | bank | banken
    bed | n | bed | bedden
    shelf | m | kast | kasten
    bookshelf < shelf | m | boekenkast | boekenkasten | | boeken kast
    wardrobe < shelf | m | kledingkast | kledingkasten | | kleding kast
    mirror | m | spiegel | spiegels | spiegeltje
    lamp | m | lamp | lampen | lampje, lampjes
    desk lamp < lamp | m | bureaulamp | bureaulampen | | bureau lamp
    mattress | n | matras | matrassen
    pillow | n | kussen | kussens | kussentje
    blanket | m | deken | dekens
    towel | m | handdoek | handdoeken | | hand doek
    curtain | n | gordijn | gordijnen
    carpet | n | tapijt | tapijten
    vase | m | vaas | vazen
    candle | m | kaars | kaarsen
    knife | n | mes | messen
    bread knife < knife | n | broodmes | broodmessen | | brood mes
    spoon | m | lepel | lepels
    fork | m | vork | vorken
    plate | n | bord | borden
    cup | m | kop | koppen | kopje, kopjes
    glass | n | glas | glazen | glaasje
    wine glass < glass | n | wijnglas | wijnglazen | | wijn glas
    pan | m | koekenpan | koekenpannen | | koeken pan
    kettle | m | waterkoker | waterkokers | | water koker
    bowl | m | schaal | schalen
    bottle | m | drinkfles | drinkflessen | | drink fles
    coffee machine | n | koffiezetapparaat | koffiezetapparaten | | koffiezet apparaat
    toaster | m | broodrooster | broodroosters | | brood rooster
    phone | m | telefoon | telefoons
    headphones | m | koptelefoon | koptelefoons
    charger | m | oplader | opladers
    cable | m | kabel | kabels
    keyboard | n | toetsenbord | toetsenborden | | toetsen bord
    ball | m | bal | ballen
    doll | m | pop | poppen
    bicycle | m | fiets | fietsen
    helmet | m | helm | helmen
    bicycle helmet < helmet | m | fietshelm | fietshelmen | | fiets helm
    tent | m | tent | tenten | tentje
    sleeping bag | m | slaapzak | slaapzakken | | slaap zak
    hammer | m | hamer | hamers
    drill | m | boormachine | boormachines | | boor machine
    saw | m | zaag | zagen
    ladder | m | ladder | ladders
    bucket | m | emmer | emmers | emmertje
    watering can | m | gieter | gieters
    shovel | m | schep | scheppen
    toothbrush | m | tandenborstel | tandenborstels | | tanden borstel`,
  colours: `
    red | rood | rode/rode/rood | rode
    blue | blauw | blauwe/blauwe/blauw | blauwe
    black | zwart | zwarte/zwarte/zwart | zwarte
    white | wit | witte/witte/wit | witte
    green | groen | groene/groene/groen | groene
    yellow | geel | gele/gele/geel | gele
    grey | grijs | grijze/grijze/grijs | grijze
    brown | bruin | bruine/bruine/bruin | bruine`,
  coloured: '{adjective} {kind}',
  materials: list('leer eikenhout katoen wol roestvrij_staal kunststof linnen bamboe'),
  departments: list(
    'Schoeisel Kleding Bagage_en_accessoires Wonen_en_meubels Woontextiel Keuken Elektronica Speelgoed_en_sport Klussen_en_tuin',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{kind} {model} {colour}',
    '{brand} {kind} {model} van {material}',
    '{kind} {model} in het {colour}',
  ],
  goesWith: [
    'Past goed bij onze {one} en {other}.',
    'Bekijk ook onze {one} en de bijpassende {other}.',
    'Wordt vaak samen met {one} of {other} gekocht.',
  ],
  fillers: [
    'Met zorg gemaakt in kleine oplage.',
    'Al jaren geliefd bij onze klanten.',
    'Een cadeau waar iedereen blij mee is.',
    'Binnen drie werkdagen bezorgd.',
    'Een eenvoudige vorm voor elke dag.',
    'Van een familiebedrijf in de derde generatie.',
  ],
  features: `
    Het oppervlak is krasbestendig. | krasbestendige oppervlakken
    De stof is ademend. | ademende stoffen
    Gecertificeerd door een onafhankelijk laboratorium. | onafhankelijke laboratoria
    Ontworpen door een Deense architecte. | deense architect
    De verpakking is composteerbaar. | composteerbare verpakkingen
    Met vijf jaar garantie. | garantie vijf jaar
    Geschikt voor mensen met een allergie. | allergieën
    In Portugal met de hand genaaid. | portugal handgenaaid
    Laat zich plat opvouwen. | plat opvouwbaar
    Montage zonder schroeven. | monteren zonder schroef
    Droogt snel na regen. | snel drogend
    Huidvriendelijk en geurloos. | geurloze`,
  withSmallWords: [
    'een {adjective} {kind} voor de tuin',
    '{kinds} in het {colour}',
    'de {adjectives} {kinds} met',
    'wat {adjectives} {kinds} voor thuis',
  ],
  withRequests: [
    'ik zoek {adjectives} {kinds} voor mijn dochter',
    'waar kan ik goedkope {kinds} in het {colour} kopen',
    'hebben jullie {adjectives} {kinds} voor het werk',
  ],
  unknown: list('astronaut waterval parlement qwerty'),
  sentences: `
    schoenen voor mijn zoon maat 36 | shoe | | 36
    rode jurk voor een bruiloft | dress | red
    zwarte dameslaarzen maat 38 | boot | black | 38
    scherpe messen voor de keuken | knife
    matras 90 x 200 | mattress | | 90x200
    blauwe jas maat L | jacket | blue | L
    kinderfiets | bicycle
    damesschoenen | shoe
    houten stoelen | chair
    kopjes | cup`,
};
