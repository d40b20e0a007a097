/** Words of a small shop in twelve languages, from which the catalogue and its questions are made. */
export interface ShopWords {
  readonly locale: string;
  /** Kinds of products: one, and several of it or another form. The first four are sold by their litres. */
  readonly kinds: readonly (readonly [one: string, many: string])[];
  /** What makes a kind a special one. */
  readonly uses: readonly string[];
  /** How a use and a kind make one name: as one word, or as a phrase. */
  readonly named: (use: string, kind: string) => string;
  /** True where a use and a kind are one word. */
  readonly compounds?: true;
  /** True where nothing stands between words. */
  readonly unspaced?: true;
  readonly colours: readonly string[];
  readonly materials: readonly string[];
  /** What stands between a product and what it is made of, such as *of*; none of it says what is wanted. */
  readonly of: string;
  readonly small: readonly string[];
  /** The sentence that names two other kinds. */
  readonly goesWith: (one: string, other: string) => string;
  readonly fillers: readonly string[];
  /** Words that stand in descriptions alone. The last ones are an edit or two away from the kind at their place. */
  readonly rare: readonly string[];
}

const pairs = (text: string) => text.split(' ').map((pair) => pair.split('/') as [string, string]);
const list = (text: string) => text.split(' ');
const spaced = (use: string, kind: string) => `${use} ${kind}`;
const after = (use: string, kind: string) => `${kind} ${use}`;
const joined = (use: string, kind: string) => `${use}${kind.toLowerCase()}`;

export const shopWords: readonly ShopWords[] = [
  {
    locale: 'en',
    kinds: pairs(
      'bucket/buckets kettle/kettles backpack/backpacks bottle/bottles dress/dresses jacket/jackets knife/knives shirt/shirts table/tables blanket/blankets lantern/lanterns pillow/pillows',
    ),
    uses: list('summer winter garden travel kitchen coffee'),
    named: spaced,
    colours: list('red green yellow purple white black'),
    materials: list('steel cotton leather bamboo wool'),
    of: 'made of',
    small: list('for the with a'),
    goesWith: (one, other) => `Goes well with our ${one} or a ${other}.`,
    fillers: list(
      'simple everyday comfortable design quality timeless daily favourite carefully finished lasting gift',
    ),
    rare: list('dishwasher warranty recycled handmade foldable seamless kennel jackpot'),
  },
  {
    locale: 'de',
    kinds: pairs(
      'Eimer/Eimern Kanne/Kannen Rucksack/Rucksäcke Flasche/Flaschen Kleid/Kleider Jacke/Jacken Messer/Messern Hemd/Hemden Tisch/Tische Decke/Decken Laterne/Laternen Kissen/Kissens',
    ),
    uses: list('Sommer Winter Garten Reise Küchen Kinder'),
    named: joined,
    compounds: true,
    colours: list('rot grün gelb lila weiß schwarz'),
    materials: list('Stahl Baumwolle Leder Bambus Wolle'),
    of: 'aus',
    small: list('für den mit einem'),
    goesWith: (one, other) => `Passt gut zu unserem ${one} oder zu einem ${other}.`,
    fillers: list(
      'schlicht alltäglich bequem Gestaltung Qualität zeitlos täglich Liebling sorgfältig verarbeitet dauerhaft Geschenk',
    ),
    rare: list('spülmaschinenfest Garantie wiederverwertet handgemacht faltbar nahtlos Tinsel Hecke'),
  },
  {
    locale: 'nl',
    kinds: pairs(
      'emmer/emmers ketel/ketels rugzak/rugzakken fles/flessen jurk/jurken jas/jassen mes/messen broek/broeken tafel/tafels deken/dekens lantaarn/lantaarns kussen/kussens',
    ),
    uses: list('zomer winter tuin reis keuken kinder'),
    named: joined,
    compounds: true,
    colours: list('rood groen geel paars wit zwart'),
    materials: list('staal katoen leer bamboe wol'),
    of: 'van',
    small: list('voor de met een'),
    goesWith: (one, other) => `Past goed bij onze ${one} of bij een ${other}.`,
    fillers: list(
      'eenvoudig alledaags comfortabel ontwerp kwaliteit tijdloos dagelijks favoriet zorgvuldig afgewerkt duurzaam cadeau',
    ),
    rare: list('vaatwasser garantie gerecycled handgemaakt opvouwbaar naadloos hemel teken'),
  },
  {
    locale: 'sv',
    kinds: pairs(
      'hink/hinkar kanna/kannor ryggsäck/ryggsäckar flaska/flaskor klänning/klänningar jacka/jackor kniv/knivar skjorta/skjortor bord/borden filt/filtar lykta/lyktor kudde/kuddar',
    ),
    uses: list('sommar vinter trädgårds rese köks barn'),
    named: joined,
    compounds: true,
    colours: list('röd grön gul lila vit svart'),
    materials: list('stål bomull läder bambu ull'),
    of: 'av',
    small: list('för en med ett'),
    goesWith: (one, other) => `Passar bra till vår ${one} eller till en ${other}.`,
    fillers: list(
      'enkel vardaglig bekväm formgivning kvalitet tidlös daglig favorit noggrant bearbetad hållbar present',
    ),
    rare: list('diskmaskin garanti återvunnen handgjord vikbar sömlös hacka kulle'),
  },
  {
    locale: 'fr',
    kinds: pairs(
      'seau/seaux bouilloire/bouilloires cartable/cartables bouteille/bouteilles robe/robes veste/vestes couteau/couteaux chemise/chemises table/tables couverture/couvertures lanterne/lanternes coussin/coussins',
    ),
    uses: list('été hiver jardin voyage cuisine enfant'),
    named: (use, kind) => `${kind} de ${use}`,
    colours: list('rouge vert jaune violet blanc noir'),
    materials: list('acier coton cuir bambou laine'),
    of: 'en',
    small: list('pour le avec un'),
    goesWith: (one, other) => `Se marie bien avec notre ${one} ou une ${other}.`,
    fillers: list(
      'simple quotidien confortable conception qualité intemporel journalier favori soigneusement fini durable cadeau',
    ),
    rare: list('vaisselle garantie recyclé artisanal pliable soudé rabe poste'),
  },
  {
    locale: 'es',
    kinds: pairs(
      'cubo/cubos tetera/teteras mochila/mochilas botella/botellas vestido/vestidos chaqueta/chaquetas cuchillo/cuchillos camisa/camisas mesa/mesas manta/mantas linterna/linternas cojín/cojines',
    ),
    uses: list('verano invierno jardín viaje cocina niños'),
    named: (use, kind) => `${kind} de ${use}`,
    colours: list('rojo verde amarillo morado blanco negro'),
    materials: list('acero algodón cuero bambú lana'),
    of: 'de',
    small: list('para el con un'),
    goesWith: (one, other) => `Combina bien con nuestro ${one} o con una ${other}.`,
    fillers: list(
      'sencillo diario cómodo diseño calidad atemporal habitual favorito cuidadosamente acabado duradero regalo',
    ),
    rare: list('lavavajillas garantía reciclado artesanal plegable resistente camino planta'),
  },
  {
    locale: 'it',
    kinds: pairs(
      'secchio/secchi bollitore/bollitori zaino/zaini bottiglia/bottiglie vestito/vestiti giacca/giacche coltello/coltelli camicia/camicie tavolo/tavoli coperta/coperte lanterna/lanterne cuscino/cuscini',
    ),
    uses: list('estate inverno giardino viaggio cucina bambini'),
    named: (use, kind) => `${kind} da ${use}`,
    colours: list('rosso verde giallo viola bianco nero'),
    materials: list('acciaio cotone cuoio bambù lana'),
    of: 'in',
    small: list('per il con un'),
    goesWith: (one, other) => `Si abbina bene al nostro ${one} o a una ${other}.`,
    fillers: list(
      'semplice quotidiano comodo design qualità intramontabile giornaliero preferito accuratamente rifinito durevole regalo',
    ),
    rare: list('lavastoviglie garanzia riciclato artigianale pieghevole robusto cavolo specchio'),
  },
  {
    locale: 'pl',
    kinds: pairs(
      'wiadro/wiadra czajnik/czajniki plecak/plecaki butelka/butelki sukienka/sukienki kurtka/kurtki nóż/noże koszula/koszule stół/stoły koc/koce latarnia/latarnie poduszka/poduszki',
    ),
    uses: list('letni zimowy ogrodowy podróżny kuchenny dziecięcy'),
    named: after,
    colours: list('czerwony zielony żółty fioletowy biały czarny'),
    materials: list('stal bawełna skóra bambus wełna'),
    of: 'z',
    small: list('dla na do i'),
    goesWith: (one, other) => `Pasuje do produktu ${one} oraz ${other}.`,
    fillers: list(
      'prosty codzienny wygodny projekt jakość ponadczasowy zwyczajny ulubiony starannie wykończony trwały prezent',
    ),
    rare: list('zmywarka gwarancja przetworzony ręcznie składany bezszwowy bitelka furtka'),
  },
  {
    locale: 'cs',
    kinds: pairs(
      'kbelík/kbelíky konvice/konvicí batoh/batohy láhev/láhve sukně/sukní bunda/bundy nůž/nože košile/košilí stůl/stoly přikrývka/přikrývky lucerna/lucerny polštář/polštáře',
    ),
    uses: list('letní zimní zahradní cestovní kuchyňský dětský'),
    named: after,
    colours: list('červený zelený žlutý fialový bílý černý'),
    materials: list('ocel bavlna kůže bambus vlna'),
    of: 'z',
    small: list('pro na do a'),
    goesWith: (one, other) => `Hodí se k výrobku ${one} nebo ${other}.`,
    fillers: list(
      'jednoduchý každodenní pohodlný návrh kvalita nadčasový denní oblíbený pečlivě zpracovaný trvanlivý dárek',
    ),
    rare: list('myčka záruka recyklovaný ručně skládací bezešvý hunda luceren'),
  },
  {
    locale: 'tr',
    kinds: pairs(
      'kova/kovalar çaydanlık/çaydanlıklar çanta/çantalar şişe/şişeler elbise/elbiseler ceket/ceketler bıçak/bıçaklar gömlek/gömlekler masa/masalar battaniye/battaniyeler fener/fenerler yastık/yastıklar',
    ),
    uses: list('yazlık kışlık bahçe seyahat mutfak çocuk'),
    named: spaced,
    colours: list('kırmızı yeşil sarı mor beyaz siyah'),
    materials: list('çelik pamuk deri bambu yün'),
    of: 've',
    small: list('için bir ile ve'),
    goesWith: (one, other) => `Bizim ${one} veya bir ${other} yanında güzel durur.`,
    fillers: list('sade gündelik rahat tasarım kalite zamansız günlük favori özenle işlenmiş dayanıklı hediye'),
    rare: list('bulaşık garanti dönüşüm elyapımı katlanır dikişsiz kasa yeter'),
  },
  {
    locale: 'ar',
    kinds: pairs(
      'دلو/دلوان غلاية/غلايات حقيبة/حقيبتان زجاجة/زجاجات فستان/فستانين سترة/سترات سكين/سكينة قميص/قميصان طاولة/طاولات بطانية/بطانيات فانوس/فانوسين وسادة/وسادات',
    ),
    uses: list('صيفي شتوي منزلي سفري مطبخي رياضي'),
    named: after,
    colours: list('أحمر أخضر أصفر بنفسجي أبيض أسود'),
    materials: list('فولاذ قطن جلد خيزران صوف'),
    of: 'من',
    small: list('مع في على إلى'),
    goesWith: (one, other) => `يناسب ${one} أو ${other} من متجرنا.`,
    fillers: list('بسيط يومي مريح تصميم جودة خالد معتاد مفضل بعناية مصنوع متين هدية'),
    rare: list('ضمان غسالة معاد يدوي قابل متكامل قميز طاوية'),
  },
  {
    locale: 'ja',
    kinds: pairs(
      'バケツ/バケツ 電気ケトル/ケトル 登山リュック/リュック 水筒/水筒 運動靴/運動靴 上着/上着 包丁/包丁 長袖シャツ/シャツ 食卓/食卓 毛布/毛布 提灯/提灯 座布団/座布団',
    ),
    uses: list('夏用 冬用 庭園 旅行 台所 子供'),
    named: joined,
    unspaced: true,
    colours: list('赤色 緑色 黄色 紫色 白色 黒色'),
    materials: list('鋼鉄 木綿 本革 竹材 羊毛'),
    of: 'の',
    small: list('の と が を'),
    goesWith: (one, other) => `${one}や${other}とよく合います。`,
    fillers: list('簡素 日常 快適 設計 品質 定番 毎日 人気 丁寧 仕上げ 丈夫 贈り物'),
    rare: list('食洗機 保証書 再生紙 手作業 折畳式 無縫製 職人技 天然色'),
  },
];
