import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const spanish: StoreWords = {
  locale: 'es',
  kinds: `
    shoe | m | zapato | zapatos
    boot | f | bota | botas
    sandal | f | sandalia | sandalias
    slipper | f | pantufla | pantuflas
    running shoe | f | zapatilla de correr | zapatillas de correr
    hiking boot < boot | f | bota de montaña | botas de montaña | botas montana
    child's shoe < shoe | m | zapato infantil | zapatos infantiles
    dress | m | vestido | vestidos
    summer dress < dress | m | vestido de verano | vestidos de verano
    shirt | f | camisa | camisas
    t-shirt | f | camiseta | camisetas
    blouse | f | blusa | blusas
    skirt | f | falda | faldas
    pants | m | pantalón | pantalones | pantalon
    jacket | f | chaqueta | chaquetas
    winter jacket < jacket | f | chaqueta de invierno | chaquetas de invierno
    coat | m | abrigo | abrigos
    raincoat | m | impermeable | impermeables
    sweater | m | jersey | jerséis | jerseys
    sock | m | calcetín | calcetines | calcetin
    hat | m | sombrero | sombreros
    glove | m | guante | guantes
    scarf | f | bufanda | bufandas
    belt | m | cinturón | cinturones | cinturon
    bag | m | bolso | bolsos
    handbag < bag | m | bolso de mano | bolsos de mano
    backpack | f | mochila | mochilas
    suitcase | f | maleta | maletas
    wallet | f | cartera | carteras
    umbrella | m | paraguas | paraguas
    watch | m | reloj | relojes
    sunglasses | f | gafa de sol | gafas de sol
    chair | f | silla | sillas
    office chair < chair | f | silla de oficina | sillas de oficina
    table | f | mesa | mesas
    coffee table < table | f | mesa de centro | mesas de centro
    sofa | m | sofá | sofás | sofa
    bed | f | cama | camas
    shelf | f | estantería | estanterías | estanteria
    wardrobe | m | armario | armarios
    mirror | m | espejo | espejos
    lamp | f | lámpara | lámparas | lampara
    desk lamp < lamp | f | lámpara de escritorio | lámparas de escritorio
    mattress | m | colchón | colchones | colchon
    pillow | f | almohada | almohadas
    blanket | f | manta | mantas
    towel | f | toalla | toallas
    curtain | f | cortina | cortinas
    carpet | f | alfombra | alfombras
    vase | m | jarrón | jarrones
    candle | f | vela | velas
    knife | m | cuchillo | cuchillos
    bread knife < knife | m | cuchillo para pan | cuchillos para pan
    spoon | f | cuchara | cucharas
    fork | m | tenedor | tenedores
    plate | m | plato | platos
    cup | f | taza | tazas
    glass | m | vaso | vasos
    wine glass | f | copa de vino | copas de vino
    pot | f | olla | ollas
    pan | f | sartén | sartenes | sarten
    kettle | m | hervidor | hervidores
    bowl | m | cuenco | cuencos
    bottle | f | botella | botellas
    coffee machine | f | cafetera | cafeteras
    toaster | f | tostadora | tostadoras
    phone | m | teléfono | teléfonos | telefono
    headphones | m | auricular | auriculares
    charger | m | cargador | cargadores
    cable | m | cable | cables
    keyboard | m | teclado | teclados
    ball | m | balón | balones | balon
    doll | f | muñeca | muñecas | muneca
    bicycle | f | bicicleta | bicicletas
    helmet | m | casco | cascos
    tent | f | tienda de campaña | tiendas de campaña
    sleeping bag | m | saco de dormir | sacos de dormir
    hammer | m | martillo | martillos
    drill | m | taladro | taladros
    saw | f | sierra | sierras
    ladder | f | escalera | escaleras
    bucket | m | cubo | cubos
    watering can | f | regadera | regaderas
    shovel | f | pala | palas
    toothbrush | m | cepillo de dientes | cepillos de dientes
    pencil | m | lápiz | lápices | lapiz, lapices`,
  colours: `
    red | rojo | rojo/roja | rojos/rojas
    blue | azul | azul | azules
    black | negro | negro/negra | negros/negras
    white | blanco | blanco/blanca | blancos/blancas
    green | verde | verde | verdes
    yellow | amarillo | amarillo/amarilla | amarillos/amarillas
    grey | gris | gris | grises
    brown | marrón | marrón | marrones`,
  coloured: '{kind} {adjective}',
  materials: list('cuero roble algodón lana acero plástico lino bambú'),
  departments: list(
    'Calzado Moda Equipaje_y_complementos Hogar_y_muebles Textil_del_hogar Cocina Electrónica Juguetes_y_deporte Bricolaje_y_jardín',
  ),
  names: [
    '{kind} {adjective} {model}',
    '{kind} {model} {colour}',
    '{brand} {kind} {model} de {material}',
    '{kind} {model} en color {colour}',
  ],
  goesWith: [
    'Combina bien con nuestra selección de {one} y {other}.',
    'Vea también {one} y los {other} a juego.',
    'Se compra a menudo junto con {one} o {other}.',
  ],
  fillers: [
    'Hecho con cuidado en series pequeñas.',
    'Nuestros clientes lo aprecian desde hace años.',
    'Un regalo que gusta a todos.',
    'Entrega en tres días laborables.',
    'Forma sencilla para cada día.',
    'De una empresa familiar de tercera generación.',
  ],
  features: `
    La superficie es resistente a los arañazos. | resistentes arañazos
    El tejido es transpirable. | tejidos transpirables
    Certificado por un laboratorio independiente. | laboratorio certificado
    Diseñado por una arquitecta danesa. | arquitecto danés
    El embalaje es compostable. | embalajes compostables
    Con una garantía de cinco años. | cinco años de garantía
    Apto para personas alérgicas. | alérgico
    Cosido a mano en Portugal. | portugal cosidos a mano
    Se pliega para guardarlo. | plegar guardar
    Montaje sin tornillos. | montar sin tornillo
    Se seca rápidamente después de la lluvia. | secado rápido lluvia
    Agradable a la piel e inodoro. | inodora`,
  withSmallWords: [
    'un {kind} {adjective} para el jardín',
    '{kinds} en {colour}',
    'los {kinds} {adjectives} con',
    'unas {kinds} {adjectives} para la casa',
  ],
  withRequests: [
    'busco {kinds} {adjectives} para mi hija',
    'dónde comprar {kinds} baratos en {colour}',
    '¿tienen {kinds} {adjectives} para el trabajo?',
  ],
  unknown: list('astronauta cascada parlamento qwerty'),
  sentences: `
    zapatos para mi hijo talla 36 | shoe | | 36
    vestido rojo para una boda | dress | red
    botas negras de mujer talla 38 | boot | black | 38
    cuchillos afilados para la cocina | knife
    colchon 90x200 | mattress | | 90x200
    chaquetas azules talla L | jacket | blue | L
    lapices | pencil
    bicicletas para niños | bicycle
    zapatitos | shoe`,
};
