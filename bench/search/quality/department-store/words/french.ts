import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const french: StoreWords = {
  locale: 'fr',
  kinds: `
    shoe | f | chaussure | chaussures
    boot | f | botte | bottes
    sandal | f | sandale | sandales
    slipper | m | chausson | chaussons
    running shoe < shoe | f | chaussure de course | chaussures de course
    hiking boot < shoe | f | chaussure de randonnée | chaussures de randonnée | chaussures randonnées
    child's shoe < shoe | f | chaussure enfant | chaussures enfant | chaussures enfants
    dress | f | robe | robes
    summer dress < dress | f | robe d'été | robes d'été | robe été
    shirt | f | chemise | chemises
    blouse | m | chemisier | chemisiers
    skirt | f | jupe | jupes
    pants | m | pantalon | pantalons
    jacket | f | veste | vestes
    winter jacket | f | doudoune | doudounes
    coat | m | manteau | manteaux
    raincoat | m | imperméable | imperméables
    sweater | m | pull | pulls | |  | chandail
    sock | f | chaussette | chaussettes
    hat | m | chapeau | chapeaux
    glove | m | gant | gants
    scarf | f | écharpe | écharpes | l'écharpe
    belt | f | ceinture | ceintures
    bag | m | sac | sacs
    handbag < bag | m | sac à main | sacs à main
    backpack < bag | m | sac à dos | sacs à dos
    suitcase | f | valise | valises
    wallet | m | portefeuille | portefeuilles
    umbrella | m | parapluie | parapluies
    watch | f | montre | montres
    sunglasses | f | paire de lunettes de soleil | lunettes de soleil | lunette de soleil
    chair | f | chaise | chaises
    office chair < chair | f | chaise de bureau | chaises de bureau
    table | f | table | tables
    coffee table < table | f | table basse | tables basses
    sofa | m | canapé | canapés
    bed | m | lit | lits
    shelf | f | étagère | étagères
    bookshelf | f | bibliothèque | bibliothèques
    wardrobe | f | armoire | armoires | l'armoire
    mirror | m | miroir | miroirs
    lamp | f | lampe | lampes
    desk lamp < lamp | f | lampe de bureau | lampes de bureau
    mattress | m | matelas | matelas
    pillow | m | oreiller | oreillers | |  | coussin
    blanket | f | couverture | couvertures
    towel | f | serviette | serviettes
    curtain | m | rideau | rideaux
    carpet | m | tapis | tapis
    vase | m | vase | vases
    candle | f | bougie | bougies
    knife | m | couteau | couteaux
    bread knife < knife | m | couteau à pain | couteaux à pain
    spoon | f | cuillère | cuillères | cuiller, cuillers
    fork | f | fourchette | fourchettes
    plate | f | assiette | assiettes
    cup | f | tasse | tasses
    glass | m | verre | verres
    wine glass < glass | m | verre à vin | verres à vin
    pot | f | casserole | casseroles
    pan | f | poêle | poêles
    kettle | f | bouilloire | bouilloires
    bowl | m | saladier | saladiers
    bottle | f | bouteille | bouteilles
    coffee machine | f | cafetière | cafetières
    toaster | m | grille-pain | grille-pain | | grille pain, grillepain
    phone | m | téléphone | téléphones
    headphones | m | casque audio | casques audio
    charger | m | chargeur | chargeurs
    cable | m | câble | câbles
    keyboard | m | clavier | claviers
    ball | m | ballon | ballons
    doll | f | poupée | poupées
    bicycle | m | vélo | vélos | |  | bicyclette
    helmet | m | casque de vélo | casques de vélo
    tent | f | tente | tentes
    sleeping bag < bag | m | sac de couchage | sacs de couchage
    hammer | m | marteau | marteaux
    drill | f | perceuse | perceuses
    saw | f | scie | scies
    ladder | f | échelle | échelles | l'échelle
    bucket | m | seau | seaux
    watering can | m | arrosoir | arrosoirs | l'arrosoir
    shovel | f | pelle | pelles
    toothbrush | f | brosse à dents | brosses à dents | brosse a dent
    toy | m | jouet | jouets
    jewel | m | bijou | bijoux`,
  colours: `
    red | rouge | rouge | rouges
    blue | bleu | bleu/bleue | bleus/bleues
    black | noir | noir/noire | noirs/noires
    white | blanc | blanc/blanche | blancs/blanches
    green | vert | vert/verte | verts/vertes
    yellow | jaune | jaune | jaunes
    grey | gris | gris/grise | gris/grises
    brown | brun | brun/brune | bruns/brunes`,
  coloured: '{kind} {adjective}',
  materials: list('cuir chêne coton laine acier plastique lin bambou'),
  departments: list(
    'Souliers Mode Bagages_et_accessoires Maison_et_meubles Linge_de_maison Cuisine Électronique Jeux_et_sports Bricolage_et_jardin',
  ),
  names: [
    '{kind} {adjective} {model}',
    '{kind} {model} {colour}',
    '{brand} {kind} {model} en {material}',
    '{kind} {model} de couleur {colour}',
  ],
  goesWith: [
    'Va bien avec nos {one} et nos {other}.',
    'Découvrez aussi nos {one} et les {other} assortis.',
    'À acheter avec des {one} ou des {other}.',
  ],
  fillers: [
    'Fabriqué avec soin en petite série.',
    'Nos clients aiment ce modèle depuis des années.',
    'Un cadeau qui plaît à tous.',
    'Livraison sous trois jours ouvrés.',
    'Une forme simple pour tous les jours.',
    'Par une entreprise familiale de la troisième génération.',
  ],
  features: `
    La surface résiste aux rayures. | résistant aux rayures
    Le tissu est respirant. | tissus respirants
    Certifié par un laboratoire indépendant. | laboratoires indépendants
    Dessiné par une architecte danoise. | architecte danois
    L'emballage est compostable. | emballages compostables
    Avec une garantie de cinq ans. | garantie cinq ans
    Convient aux personnes allergiques. | allergique
    Cousu main au Portugal. | cousue main portugal
    Se plie à plat pour le rangement. | pliable à plat
    Montage sans vis. | monter sans vis
    Sèche vite après la pluie. | séchage rapide
    Doux pour la peau et inodore. | inodores`,
  withSmallWords: [
    'un {kind} {adjective} pour le jardin',
    '{kinds} en {colour}',
    'les {kinds} {adjectives} avec',
    "des {kinds} {adjectives} pour l'été",
  ],
  withRequests: [
    'je cherche des {kinds} {adjectives} pour ma fille',
    'où acheter des {kinds} pas chers en {colour}',
    'avez-vous des {kinds} {adjectives} pour le travail',
  ],
  unknown: list('astronaute cascade parlement azerty'),
  sentences: `
    chaussures pour mon fils taille 36 | shoe | | 36
    robe rouge pour un mariage | dress | red
    bottes noires femme pointure 38 | boot | black | 38
    couteaux bien aiguisés pour la cuisine | knife
    quel matelas 90x200 choisir | mattress | | 90x200
    l'armoire blanche | wardrobe | white
    vestes bleues taille L | jacket | blue | L
    des bijoux | jewel
    vélo d'enfant | bicycle`,
};
