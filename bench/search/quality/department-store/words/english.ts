import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const english: StoreWords = {
  locale: 'en',
  kinds: `
    shoe | | shoe | shoes | shoe's
    boot | | boot | boots | boot's
    sandal | | sandal | sandals
    slipper | | slipper | slippers
    running shoe < shoe | | running shoe | running shoes | | runningshoes, running-shoe
    hiking boot < boot | | hiking boot | hiking boots | | hikingboots
    child's shoe < shoe | | children's shoe | children's shoes | childrens shoes, child's shoe
    dress | | dress | dresses | dress's
    summer dress < dress | | summer dress | summer dresses | | summerdress
    shirt | | shirt | shirts | shirt's
    blouse | | blouse | blouses
    skirt | | skirt | skirts
    pants | p | trousers | trousers | trouser
    jacket | | jacket | jackets | jacket's
    winter jacket < jacket | | winter jacket | winter jackets | | winterjacket
    coat | | coat | coats
    raincoat < coat | | raincoat | raincoats | | rain coat
    sweater | | sweater | sweaters | |  | jumper
    sock | | sock | socks
    hat | | hat | hats
    glove | | glove | gloves
    scarf | | scarf | scarves | scarfs
    belt | | belt | belts
    bag | | bag | bags
    handbag < bag | | handbag | handbags | | hand bag
    backpack | | backpack | backpacks | | back pack | rucksack
    suitcase | | suitcase | suitcases | | suit case
    wallet | | wallet | wallets
    umbrella | | umbrella | umbrellas
    watch | | watch | watches
    sunglasses | p | sunglasses | sunglasses | | sun glasses
    chair | | chair | chairs
    office chair < chair | | office chair | office chairs | | officechair
    table | | table | tables
    coffee table < table | | coffee table | coffee tables | | coffeetable
    sofa | | sofa | sofas | |  | couch
    bed | | bed | beds
    shelf | | shelf | shelves
    bookshelf < shelf | | bookshelf | bookshelves | | book shelf
    wardrobe | | wardrobe | wardrobes
    mirror | | mirror | mirrors
    lamp | | lamp | lamps
    desk lamp < lamp | | desk lamp | desk lamps | | desklamp
    mattress | | mattress | mattresses
    pillow | | pillow | pillows | |  | cushion
    blanket | | blanket | blankets
    towel | | towel | towels
    curtain | | curtain | curtains
    carpet | | carpet | carpets
    vase | | vase | vases
    candle | | candle | candles
    knife | | knife | knives | knife's
    bread knife < knife | | bread knife | bread knives | | breadknife
    spoon | | spoon | spoons
    fork | | fork | forks
    plate | | plate | plates
    cup | | cup | cups
    glass | | glass | glasses
    wine glass < glass | | wine glass | wine glasses | | wineglass, wineglasses
    pot | | pot | pots
    pan | | frying pan | frying pans
    kettle | | kettle | kettles
    bowl | | bowl | bowls
    bottle | | bottle | bottles
    coffee machine | | coffee machine | coffee machines | | coffeemachine
    toaster | | toaster | toasters
    phone | | phone | phones
    headphones | p | headphones | headphones | | head phones
    charger | | charger | chargers
    cable | | cable | cables
    keyboard | | keyboard | keyboards | | key board
    ball | | ball | balls
    doll | | doll | dolls
    bicycle | | bicycle | bicycles | |  | bike
    helmet | | helmet | helmets
    tent | | tent | tents
    sleeping bag < bag | | sleeping bag | sleeping bags | | sleepingbag
    hammer | | hammer | hammers
    drill | | drill | drills
    saw | | saw | saws
    ladder | | ladder | ladders
    bucket | | bucket | buckets
    watering can | | watering can | watering cans | | wateringcan
    shovel | | shovel | shovels
    toothbrush | | toothbrush | toothbrushes | | tooth brush`,
  colours: `
    red | red | red | red
    blue | blue | blue | blue
    black | black | black | black
    white | white | white | white
    green | green | green | green
    yellow | yellow | yellow | yellow
    grey | grey | grey | grey
    brown | brown | brown | brown`,
  coloured: '{adjective} {kind}',
  materials: list('leather oak cotton wool steel plastic linen bamboo'),
  departments: list(
    'Footwear Clothing Luggage_and_accessories Home_and_furniture Home_textiles Kitchenware Electronics Toys_and_sports DIY_and_garden',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{kind} {model}, {colour}',
    '{brand} {kind} {model} made of {material}',
    '{model} {adjective} {kind} in {material}',
  ],
  goesWith: [
    'Goes well with our {one} and {other}.',
    'Also have a look at our {one} and at the matching {other}.',
    'Buy it together with {one} or {other}.',
  ],
  fillers: [
    'Carefully made in small series.',
    'Our customers have loved this model for years.',
    'A present that everybody enjoys.',
    'Delivered within three working days.',
    'Simple design for every day.',
    'Made by a family business in the third generation.',
  ],
  features: `
    The surface is scratch-resistant. | scratch resistant
    Its fabric is breathable. | breathable fabric
    Certified by an independent laboratory. | certified laboratory
    Designed by a Danish architect. | danish architects
    The packaging is compostable. | compostable packaging
    Comes with a warranty of five years. | five years warranty
    Suitable for people with allergies. | allergy
    Hand-stitched in Portugal. | portugal hand stitched
    Folds flat for storage. | folding flat
    Assembly needs no screws. | assemble without screws
    Dries quickly after rain. | quick drying
    Neutral to skin and odourless. | odourless`,
  withSmallWords: [
    'a {adjective} {kind} for the garden',
    '{kinds} in {colour}',
    'the {adjectives} {kinds} with it',
    'some of your {kinds} in {colour}',
  ],
  withRequests: [
    'i am looking for {adjectives} {kinds} for my daughter',
    'where can i buy cheap {kinds} in {colour}',
    'do you have {adjectives} {kinds} for work',
  ],
  unknown: list('astronaut waterfall parliament qwertz'),
  sentences: `
    shoes for my son size 36 | shoe | | 36
    red dresses for a wedding | dress | red
    women's black boots size 38 | boot | black | 38
    sharp knives for the kitchen | knife
    which mattress for a bed 90x200 | mattress | | 90x200
    blue jackets size l | jacket | blue | L
    children's bikes | bicycle
    shelves for books | shelf`,
};
