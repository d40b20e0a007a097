import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const german: StoreWords = {
  locale: 'de',
  compounds: true,
  kinds: `
    shoe | m | Schuh | Schuhe | Schuhs, Schuhen
    boot | m | Stiefel | Stiefel | Stiefeln, Stiefels
    sandal | f | Sandale | Sandalen
    slipper < shoe | m | Hausschuh | Hausschuhe | Hausschuhen | haus schuhe
    running shoe < shoe | m | Laufschuh | Laufschuhe | Laufschuhen | lauf schuhe
    hiking boot < boot | m | Wanderstiefel | Wanderstiefel | Wanderstiefeln | wander stiefel
    child's shoe < shoe | m | Kinderschuh | Kinderschuhe | Kinderschuhen | kinder schuhe
    dress | n | Kleid | Kleider | Kleides, Kleidern
    summer dress < dress | n | Sommerkleid | Sommerkleider | Sommerkleidern | sommer kleid
    shirt | n | Hemd | Hemden | Hemdes
    blouse | f | Bluse | Blusen
    skirt | m | Rock | Röcke | Röcken, Rocks
    pants | f | Hose | Hosen
    jacket | f | Jacke | Jacken
    winter jacket < jacket | f | Winterjacke | Winterjacken | | winter jacke
    coat | m | Mantel | Mäntel | Mänteln, Mantels
    raincoat < coat | m | Regenmantel | Regenmäntel | Regenmänteln | regen mantel
    sweater | m | Pullover | Pullover | Pullovern, Pullovers
    sock | f | Socke | Socken
    hat | m | Hut | Hüte | Hüten
    glove | m | Handschuh | Handschuhe | Handschuhen | hand schuhe
    scarf | m | Schal | Schals
    belt | m | Gürtel | Gürtel | Gürteln, Guertel
    bag | f | Tasche | Taschen
    handbag < bag | f | Handtasche | Handtaschen | | hand tasche
    backpack | m | Rucksack | Rucksäcke | Rucksäcken
    suitcase | m | Koffer | Koffer | Koffern
    wallet | m | Geldbeutel | Geldbeutel | Geldbeuteln | | Portemonnaie
    umbrella | m | Regenschirm | Regenschirme | Regenschirmen | regen schirm
    watch | f | Armbanduhr | Armbanduhren | | armband uhr
    sunglasses | f | Sonnenbrille | Sonnenbrillen | | sonnen brille
    chair | m | Stuhl | Stühle | Stühlen
    office chair < chair | m | Bürostuhl | Bürostühle | Bürostühlen, Buerostuhl | büro stuhl
    table | m | Tisch | Tische | Tischen
    coffee table < table | m | Couchtisch | Couchtische | Couchtischen | couch tisch
    dining table < table | m | Esstisch | Esstische | Esstischen | ess tisch
    sofa | n | Sofa | Sofas | |  | Couch
    bed | n | Bett | Betten | Bettes
    shelf | n | Regal | Regale | Regalen
    bookshelf < shelf | n | Bücherregal | Bücherregale | Bücherregalen | bücher regal
    wardrobe | m | Kleiderschrank | Kleiderschränke | Kleiderschränken | kleider schrank
    mirror | m | Spiegel | Spiegel | Spiegeln
    lamp | f | Lampe | Lampen
    desk lamp < lamp | f | Schreibtischlampe | Schreibtischlampen | | schreibtisch lampe
    mattress | f | Matratze | Matratzen
    pillow | n | Kissen | Kissen | Kissens
    blanket | f | Wolldecke | Wolldecken | | woll decke
    towel | n | Handtuch | Handtücher | Handtüchern | hand tuch
    curtain | m | Vorhang | Vorhänge | Vorhängen
    carpet | m | Teppich | Teppiche | Teppichen
    vase | f | Vase | Vasen
    candle | f | Kerze | Kerzen
    knife | n | Messer | Messer | Messern
    bread knife < knife | n | Brotmesser | Brotmesser | Brotmessern | brot messer
    spoon | m | Löffel | Löffel | Löffeln
    fork | f | Gabel | Gabeln
    plate | m | Teller | Teller | Tellern
    cup | f | Tasse | Tassen
    glass | n | Glas | Gläser | Gläsern, Glases
    wine glass < glass | n | Weinglas | Weingläser | Weingläsern | wein glas
    pot | m | Kochtopf | Kochtöpfe | Kochtöpfen | koch topf
    pan | f | Bratpfanne | Bratpfannen | | brat pfanne
    kettle | m | Wasserkocher | Wasserkocher | Wasserkochern | wasser kocher
    bowl | f | Schüssel | Schüsseln
    bottle | f | Trinkflasche | Trinkflaschen | | trink flasche
    coffee machine | f | Kaffeemaschine | Kaffeemaschinen | | kaffee maschine
    toaster | m | Toaster | Toaster | Toastern
    phone | n | Handy | Handys
    headphones | m | Kopfhörer | Kopfhörer | Kopfhörern | kopf hörer
    charger | n | Ladegerät | Ladegeräte | Ladegeräten, Ladegerätes | lade gerät
    cable | n | Kabel | Kabel | Kabeln
    keyboard | f | Tastatur | Tastaturen
    ball | m | Ball | Bälle | Bällen
    doll | f | Puppe | Puppen
    bicycle | n | Fahrrad | Fahrräder | Fahrrädern | fahr rad
    helmet | m | Helm | Helme | Helmen
    bicycle helmet < helmet | m | Fahrradhelm | Fahrradhelme | Fahrradhelmen | fahrrad helm
    tent | n | Zelt | Zelte | Zelten
    sleeping bag | m | Schlafsack | Schlafsäcke | Schlafsäcken | schlaf sack
    hammer | m | Hammer | Hämmer | Hämmern
    drill | f | Bohrmaschine | Bohrmaschinen | | bohr maschine
    saw | f | Säge | Sägen
    ladder | f | Leiter | Leitern
    bucket | m | Eimer | Eimer | Eimern
    watering can | f | Gießkanne | Gießkannen | giesskanne | gieß kanne
    shovel | f | Schaufel | Schaufeln
    toothbrush | f | Zahnbürste | Zahnbürsten | | zahn bürste`,
  colours: `
    red | rot | roter/rote/rotes | rote | roten, rotem
    blue | blau | blauer/blaue/blaues | blaue | blauen, blauem
    black | schwarz | schwarzer/schwarze/schwarzes | schwarze | schwarzen, schwarzem
    white | weiß | weißer/weiße/weißes | weiße | weißen, weisse, weiss
    green | grün | grüner/grüne/grünes | grüne | grünen, gruene
    yellow | gelb | gelber/gelbe/gelbes | gelbe | gelben
    grey | grau | grauer/graue/graues | graue | grauen
    brown | braun | brauner/braune/braunes | braune | braunen`,
  coloured: '{adjective} {kind}',
  materials: list('Leder Eiche Baumwolle Wolle Edelstahl Kunststoff Leinen Bambus'),
  departments: list(
    'Schuhwerk Bekleidung Reisegepäck_und_Accessoires Wohnen_und_Möbel Heimtextilien Küche_und_Haushalt Elektronik Spielzeug_und_Sport Werkzeug_und_Garten',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{kind} {model} {colour}',
    '{brand} {kind} {model} aus {material}',
    '{kind} {model} in {Colour}',
  ],
  goesWith: [
    'Passt gut zu unseren {one.dative} und {other.dative}.',
    'Sehen Sie sich auch unsere {one} und die passenden {other} an.',
    'Wird oft zusammen mit {one.dative} oder {other.dative} gekauft.',
  ],
  fillers: [
    'Sorgfältig in kleiner Serie gefertigt.',
    'Seit Jahren bei unseren Kunden beliebt.',
    'Ein Geschenk, über das sich jeder freut.',
    'Lieferung innerhalb von drei Werktagen.',
    'Schlichte Form für jeden Tag.',
    'Von einem Familienbetrieb in dritter Generation.',
  ],
  features: `
    Die Oberfläche ist kratzfest. | kratzfeste oberflächen
    Das Gewebe ist atmungsaktiv. | atmungsaktives gewebe
    Von einem unabhängigen Prüflabor zertifiziert. | zertifiziertes prüflabor
    Entworfen von einer dänischen Architektin. | dänische architektinnen
    Die Verpackung ist kompostierbar. | kompostierbare verpackungen
    Mit fünf Jahren Garantie. | garantie fünf jahre
    Geeignet für Allergiker. | allergiker geeignet
    In Portugal von Hand genäht. | handgenäht portugal
    Lässt sich platzsparend zusammenklappen. | zusammenklappbar platzsparend
    Der Aufbau gelingt ohne Schrauben. | aufbau ohne schraube
    Trocknet nach dem Regen schnell. | schnell trocknend
    Hautfreundlich und geruchsneutral. | geruchsneutral`,
  withSmallWords: [
    'ein {adjective} {kind} für den Garten',
    '{kinds} in {colour}',
    'die {adjectives} {kinds} mit dem',
    'ein paar {adjectives} {kinds}',
  ],
  withRequests: [
    'ich suche {adjectives} {kinds} für meine tochter',
    'wo kann ich günstige {kinds} in {colour} kaufen',
    'habt ihr {adjectives} {kinds} für die arbeit',
  ],
  unknown: list('astronaut wasserfall parlament qwertz'),
  sentences: `
    schuhe für meinen sohn größe 36 | shoe | | 36
    mit einem roten kleid zur hochzeit | dress | red
    schwarze damenstiefel größe 38 | boot | black | 38
    scharfe messer für die küche | knife
    matratze 90 x 200 für gästebett | mattress | | 90x200
    in blauen jacken gr. L | jacket | blue | L
    kinderfahrräder | bicycle
    regal für bücher | shelf
    damenschuhe | shoe
    holzstühle | chair`,
};
