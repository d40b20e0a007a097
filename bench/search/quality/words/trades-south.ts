import { list, pairs, type ShopWords, spaced } from './shop-words.ts';

/** Of trades, around the Mediterranean and further. */
export const southernTrades: readonly ShopWords[] = [
  {
    locale: 'fr',
    kinds: pairs(
      'bêche/bêches râteau/râteaux arrosoir/arrosoirs scie/scies marteau/marteaux pinceau/pinceaux pommade/pommades pansement/pansements seringue/seringues guitare/guitares flûte/flûtes tambour/tambours',
    ),
    departments: list('jardinage bricolage pharmacie musique'),
    uses: list('poche école studio atelier loisir camping'),
    named: (use, kind) => `${kind} de ${use}`,
    colours: list('bleu orange argenté marron gris rose'),
    materials: list('aluminium chêne laiton caoutchouc lin'),
    of: 'en',
    small: list('des la dans et'),
    goesWith: (one, other) => `Souvent acheté avec une ${one} et le ${other} assorti.`,
    fillers: list('solide léger pratique fiable compact artisanat ergonomique équilibré robuste débutant saison testé'),
    rare: list('inoxydable hypoallergénique étalonné biodégradable étanche accordé manteau flotte'),
    synonyms: [
      ['onguent', 6],
      ['pelle', 0],
    ],
  },
  {
    locale: 'es',
    kinds: pairs(
      'pala/palas rastrillo/rastrillos regadera/regaderas sierra/sierras martillo/martillos pincel/pinceles pomada/pomadas venda/vendas jeringa/jeringas guitarra/guitarras flauta/flautas tambor/tambores',
    ),
    departments: list('jardinería taller farmacia música'),
    uses: list('bolsillo escuela estudio afición camping colegio'),
    named: (use, kind) => `${kind} de ${use}`,
    colours: list('azul naranja plateado marrón gris rosa'),
    materials: list('aluminio roble latón goma lino'),
    of: 'en',
    small: list('de la y por'),
    goesWith: (one, other) => `Se compra a menudo junto con ${one} y ${other}.`,
    fillers: list(
      'sólido ligero práctico fiable compacto artesanía ergonómico equilibrado robusto principiante temporada probado',
    ),
    rare: list('inoxidable hipoalergénico calibrado biodegradable impermeable afinado tienda castillo'),
    synonyms: [
      ['ungüento', 6],
      ['serrucho', 3],
    ],
  },
  {
    locale: 'it',
    kinds: pairs(
      'vanga/vanghe rastrello/rastrelli annaffiatoio/annaffiatoi sega/seghe martello/martelli pennello/pennelli pomata/pomate benda/bende siringa/siringhe chitarra/chitarre flauto/flauti tamburo/tamburi',
    ),
    departments: list('giardinaggio officina farmacia musica'),
    uses: list('tasca scuola studio hobby campeggio laboratorio'),
    named: (use, kind) => `${kind} da ${use}`,
    colours: list('azzurro arancione argento marrone grigio rosa'),
    materials: list('alluminio quercia ottone gomma lino'),
    of: 'di',
    small: list('del la e per'),
    goesWith: (one, other) => `Si compra spesso insieme a ${one} e ${other}.`,
    fillers: list(
      'solido leggero pratico affidabile compatto artigianato ergonomico bilanciato robusto principiante stagione collaudato',
    ),
    rare: list('inossidabile ipoallergenico tarato biodegradabile impermeabile accordato mantello tenda'),
    synonyms: [
      ['unguento', 6],
      ['badile', 0],
    ],
  },
  {
    locale: 'pt',
    kinds: pairs(
      'enxada/enxadas ancinho/ancinhos regador/regadores serra/serras martelo/martelos pincel/pincéis pomada/pomadas curativo/curativos seringa/seringas violão/violões flauta/flautas tambor/tambores',
    ),
    departments: list('jardinagem oficina farmácia música'),
    uses: list('bolso escola estúdio hobby acampamento viagem'),
    named: (use, kind) => `${kind} de ${use}`,
    colours: list('azul laranja prateado marrom cinza rosa'),
    materials: list('alumínio carvalho latão borracha linho'),
    of: 'em',
    small: list('do a e com'),
    goesWith: (one, other) => `Muitas vezes comprado junto com ${one} e ${other}.`,
    fillers: list(
      'sólido leve prático confiável compacto artesanato ergonômico equilibrado robusto iniciante estação testado',
    ),
    rare: list('inoxidável hipoalergênico calibrado biodegradável impermeável afinado castelo terra'),
    synonyms: [
      ['unguento', 6],
      ['atadura', 7],
    ],
  },
  {
    locale: 'tr',
    kinds: pairs(
      'kürek/küreği tırmık/tırmığı bidon/bidonlar testere/testereler çekiç/çekici fırça/fırçalar merhem/merhemi bandaj/bandajlar şırınga/şırıngalar gitar/gitarlar flüt/flütü davul/davulları',
    ),
    departments: list('bahçecilik atölye eczane müzik'),
    uses: list('cep okul stüdyo hobi kamp gençlik'),
    named: spaced,
    colours: list('mavi turuncu gümüş kahverengi gri pembe'),
    materials: list('alüminyum meşe pirinç kauçuk keten'),
    of: 'ile',
    small: list('da ve bu çok'),
    goesWith: (one, other) => `Çoğu zaman ${one} ve ${other} birlikte alınır.`,
    fillers: list('sağlam hafif pratik güvenilir kompakt zanaat ergonomik dengeli kuvvetli acemi mevsim denenmiş'),
    rare: list('paslanmaz hipoalerjenik ayarlı çözünür sugeçirmez akortlu çekim kitap'),
    synonyms: [
      ['bel', 0],
      ['pomat', 6],
    ],
  },
];
