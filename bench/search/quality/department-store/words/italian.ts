import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const italian: StoreWords = {
  locale: 'it',
  kinds: `
    shoe | f | scarpa | scarpe
    boot | m | stivale | stivali
    sandal | m | sandalo | sandali
    slipper | f | pantofola | pantofole
    running shoe < shoe | f | scarpa da corsa | scarpe da corsa
    hiking boot | m | scarpone da montagna | scarponi da montagna
    child's shoe < shoe | f | scarpa da bambino | scarpe da bambino | scarpe bambini
    dress | m | vestito | vestiti
    summer dress < dress | m | vestito estivo | vestiti estivi
    shirt | f | camicia | camicie | camice
    t-shirt | f | maglietta | magliette
    blouse | f | camicetta | camicette
    skirt | f | gonna | gonne
    pants | m | pantalone | pantaloni
    jacket | f | giacca | giacche
    winter jacket < jacket | f | giacca invernale | giacche invernali
    coat | m | cappotto | cappotti
    raincoat | m | impermeabile | impermeabili | l'impermeabile
    sweater | m | maglione | maglioni
    sock | m | calzino | calzini
    hat | m | cappello | cappelli
    glove | m | guanto | guanti
    scarf | f | sciarpa | sciarpe
    belt | f | cintura | cinture
    bag | f | borsa | borse
    handbag < bag | f | borsa a mano | borse a mano
    backpack | m | zaino | zaini
    suitcase | f | valigia | valigie | valige
    wallet | m | portafoglio | portafogli
    umbrella | m | ombrello | ombrelli | l'ombrello
    watch | m | orologio | orologi | l'orologio
    sunglasses | m | occhiale da sole | occhiali da sole
    chair | f | sedia | sedie
    office chair < chair | f | sedia da ufficio | sedie da ufficio
    table | m | tavolo | tavoli
    coffee table | m | tavolino | tavolini
    sofa | m | divano | divani
    bed | m | letto | letti
    shelf | m | scaffale | scaffali
    bookshelf | f | libreria | librerie
    wardrobe | m | armadio | armadi | l'armadio
    mirror | m | specchio | specchi
    lamp | f | lampada | lampade
    desk lamp < lamp | f | lampada da scrivania | lampade da scrivania
    mattress | m | materasso | materassi
    pillow | m | cuscino | cuscini
    blanket | f | coperta | coperte
    towel | m | asciugamano | asciugamani | l'asciugamano
    curtain | f | tenda | tende
    carpet | m | tappeto | tappeti
    vase | m | vaso | vasi
    candle | f | candela | candele
    knife | m | coltello | coltelli
    bread knife < knife | m | coltello da pane | coltelli da pane
    spoon | m | cucchiaio | cucchiai
    fork | f | forchetta | forchette
    plate | m | piatto | piatti
    cup | f | tazza | tazze
    glass | m | bicchiere | bicchieri
    wine glass | m | calice da vino | calici da vino
    pot | f | pentola | pentole
    pan | f | padella | padelle
    kettle | m | bollitore | bollitori
    bowl | f | ciotola | ciotole
    bottle | f | bottiglia | bottiglie
    coffee machine | f | macchina da caffè | macchine da caffè | macchina caffe
    toaster | m | tostapane | tostapane
    phone | m | telefono | telefoni
    headphones | f | cuffia | cuffie
    charger | m | caricabatterie | caricabatterie
    cable | m | cavo | cavi
    keyboard | f | tastiera | tastiere
    ball | m | pallone | palloni
    doll | f | bambola | bambole
    bicycle | f | bicicletta | biciclette
    helmet | m | casco | caschi
    sleeping bag | m | sacco a pelo | sacchi a pelo
    hammer | m | martello | martelli
    drill | m | trapano | trapani
    saw | f | sega | seghe
    ladder | f | scala | scale
    bucket | m | secchio | secchi
    watering can | m | annaffiatoio | annaffiatoi | l'annaffiatoio
    shovel | f | pala | pale
    toothbrush | m | spazzolino | spazzolini
    toy | m | giocattolo | giocattoli
    hook | m | gancio | ganci`,
  colours: `
    red | rosso | rosso/rossa | rossi/rosse
    blue | azzurro | azzurro/azzurra | azzurri/azzurre
    black | nero | nero/nera | neri/nere
    white | bianco | bianco/bianca | bianchi/bianche
    green | verde | verde | verdi
    yellow | giallo | giallo/gialla | gialli/gialle
    grey | grigio | grigio/grigia | grigi/grigie
    brown | marrone | marrone | marroni`,
  coloured: '{kind} {adjective}',
  materials: list('pelle rovere cotone lana acciaio plastica lino bambù'),
  departments: list(
    'Calzature Moda Bagagli_e_accessori Casa_e_mobili Tessili_per_la_casa Cucina Elettronica Giochi_e_sport Fai_da_te_e_giardino',
  ),
  names: [
    '{kind} {adjective} {model}',
    '{kind} {model} {colour}',
    '{brand} {kind} {model} in {material}',
    '{kind} {model} colore {colour}',
  ],
  goesWith: [
    'Si abbina bene a {one} e {other}.',
    'Guarda anche la nostra scelta di {one} e {other}.',
    'Spesso acquistato insieme a {one} o {other}.',
  ],
  fillers: [
    'Realizzato con cura in piccola serie.',
    'I nostri clienti lo amano da anni.',
    'Un regalo che piace a tutti.',
    'Consegna entro tre giorni lavorativi.',
    'Forma semplice per ogni giorno.',
    "Di un'azienda familiare alla terza generazione.",
  ],
  features: `
    La superficie resiste ai graffi. | resistente ai graffi
    Il tessuto è traspirante. | tessuti traspiranti
    Certificato da un laboratorio indipendente. | laboratori indipendenti
    Disegnato da un'architetta danese. | architetto danese
    L'imballaggio è compostabile. | imballaggi compostabili
    Con garanzia di cinque anni. | garanzia cinque anni
    Adatto a persone allergiche. | allergico
    Cucito a mano in Portogallo. | portogallo cucita a mano
    Si ripiega per riporlo. | ripiegare riporre
    Montaggio senza viti. | montare senza vite
    Asciuga rapidamente dopo la pioggia. | asciugatura rapida pioggia
    Delicato sulla pelle e inodore. | inodori`,
  withSmallWords: [
    'un {kind} {adjective} per il giardino',
    '{kinds} in {colour}',
    'le {kinds} {adjectives} con',
    "dei {kinds} {adjectives} per l'estate",
  ],
  withRequests: [
    'cerco {kinds} {adjectives} per mia figlia',
    'dove comprare {kinds} economici colore {colour}',
    'avete {kinds} {adjectives} per il lavoro',
  ],
  unknown: list('astronauta cascata parlamento qwerty'),
  sentences: `
    scarpe per mio figlio numero 36 | shoe | | 36
    vestito rosso per un matrimonio | dress | red
    stivali neri da donna taglia 38 | boot | black | 38
    coltelli affilati per la cucina | knife
    materasso 90 x 200 | mattress | | 90x200
    l'armadio bianco | wardrobe | white
    giacche azzurre taglia L | jacket | blue | L
    valige | suitcase
    biciclette da bambino | bicycle
    ganci | hook`,
};
