import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const turkish: StoreWords = {
  locale: 'tr',
  kinds: `
    shoe | | ayakkabı | ayakkabılar | ayakkabıları, ayakkabısı, ayakkabıyı
    boot | | çizme | çizmeler | çizmeleri, çizmesi
    sandal | | sandalet | sandaletler | sandaletleri
    slipper | | terlik | terlikler | terliği, terlikleri
    running shoe < shoe | | koşu ayakkabısı | koşu ayakkabıları | koşu ayakkabı
    child's shoe < shoe | | çocuk ayakkabısı | çocuk ayakkabıları | çocuk ayakkabı
    dress | | elbise | elbiseler | elbisesi, elbiseleri, elbiseyi
    summer dress < dress | | yazlık elbise | yazlık elbiseler | yazlık elbiseleri
    shirt | | gömlek | gömlekler | gömleği, gömlekleri
    t-shirt | | tişört | tişörtler | tişörtü, tişörtleri
    blouse | | bluz | bluzlar | bluzu
    skirt | | etek | etekler | eteği, etekleri
    pants | | pantolon | pantolonlar | pantolonu, pantolonları
    jacket | | ceket | ceketler | ceketi, ceketleri
    winter jacket | | mont | montlar | montu, montları
    coat | | palto | paltolar | paltosu
    raincoat | | yağmurluk | yağmurluklar | yağmurluğu, yagmurluk
    sweater | | kazak | kazaklar | kazağı, kazakları
    sock | | çorap | çoraplar | çorabı, çorapları
    hat | | şapka | şapkalar | şapkası, şapkaları
    glove | | eldiven | eldivenler | eldiveni, eldivenleri
    scarf | | atkı | atkılar | atkısı
    belt | | kemer | kemerler | kemeri
    bag | | çanta | çantalar | çantası, çantaları, çantadan
    handbag < bag | | el çantası | el çantaları | el çanta
    backpack < bag | | sırt çantası | sırt çantaları | sirt cantasi
    suitcase | | valiz | valizler | valizi, valizleri
    wallet | | cüzdan | cüzdanlar | cüzdanı, cüzdanları
    umbrella | | şemsiye | şemsiyeler | şemsiyesi
    watch | | kol saati | kol saatleri
    sunglasses | | güneş gözlüğü | güneş gözlükleri | güneş gözlük
    chair | | sandalye | sandalyeler | sandalyesi, sandalyeleri
    table | | masa | masalar | masası, masaları
    coffee table | | sehpa | sehpalar | sehpası
    dining table < table | | yemek masası | yemek masaları | yemek masa
    sofa | | kanepe | kanepeler | kanepesi, kanepeyi
    bed | | karyola | karyolalar | karyolası
    shelf | | raf | raflar | rafı
    bookshelf | | kitaplık | kitaplıklar | kitaplığı
    wardrobe | | gardırop | gardıroplar | gardırobu
    mirror | | ayna | aynalar | aynası, aynayı
    lamp | | lamba | lambalar | lambası
    desk lamp < lamp | | masa lambası | masa lambaları | masa lamba
    mattress | | yatak | yataklar | yatağı
    pillow | | yastık | yastıklar | yastığı, yastıkları
    blanket | | battaniye | battaniyeler | battaniyesi
    towel | | havlu | havlular | havlusu, havluları
    curtain | | perde | perdeler | perdesi
    carpet | | halı | halılar | halısı, halıları
    vase | | vazo | vazolar | vazosu
    candle | | mum | mumlar | mumu
    knife | | bıçak | bıçaklar | bıçağı, bıçakları
    bread knife < knife | | ekmek bıçağı | ekmek bıçakları | ekmek bıçak
    spoon | | kaşık | kaşıklar | kaşığı, kaşıkları
    fork | | çatal | çatallar | çatalı
    plate | | tabak | tabaklar | tabağı, tabakları
    cup | | fincan | fincanlar | fincanı
    glass | | bardak | bardaklar | bardağı, bardakları
    wine glass | | kadeh | kadehler | kadehi
    pot | | tencere | tencereler | tenceresi
    pan | | tava | tavalar | tavası
    kettle | | su ısıtıcısı | su ısıtıcıları | su ısıtıcı
    bowl | | kase | kaseler | kasesi
    bottle | | matara | mataralar | matarası
    coffee machine | | kahve makinesi | kahve makineleri | kahve makinası
    toaster | | ekmek kızartma makinesi | ekmek kızartma makineleri
    phone | | telefon | telefonlar | telefonu
    headphones | | kulaklık | kulaklıklar | kulaklığı
    charger | | şarj aleti | şarj aletleri
    cable | | kablo | kablolar | kablosu
    keyboard | | klavye | klavyeler | klavyesi
    ball | | top | toplar | topu
    doll | | oyuncak bebek | oyuncak bebekler
    bicycle | | bisiklet | bisikletler | bisikleti
    helmet | | kask | kasklar | kaskı
    tent | | çadır | çadırlar | çadırı
    sleeping bag | | uyku tulumu | uyku tulumları | uyku tulum
    hammer | | çekiç | çekiçler | çekici
    drill | | matkap | matkaplar | matkabı
    saw | | testere | testereler | testeresi
    ladder | | merdiven | merdivenler | merdiveni
    bucket | | kova | kovalar | kovası
    watering can | | sulama kabı | sulama kapları
    shovel | | kürek | kürekler | küreği
    toothbrush | | diş fırçası | diş fırçaları | diş fırça`,
  colours: `
    red | kırmızı | kırmızı | kırmızı
    blue | mavi | mavi | mavi
    black | siyah | siyah | siyah
    white | beyaz | beyaz | beyaz
    green | yeşil | yeşil | yeşil | yesil
    yellow | sarı | sarı | sarı | sari
    grey | gri | gri | gri
    brown | kahverengi | kahverengi | kahverengi`,
  coloured: '{adjective} {kind}',
  materials: list('deri meşe pamuklu yün çelik plastik keten bambu'),
  departments: list(
    'Ayak_giyim Giyim Bagaj_ve_aksesuar Ev_ve_mobilya Ev_tekstili Mutfak Elektronik Oyuncak_ve_spor Yapı_ve_bahçe',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{model} {kind} {colour}',
    '{brand} {material} {kind} {model}',
    '{kind} {model} {colour} renk',
  ],
  goesWith: [
    '{one} ve {other} ile uyumludur.',
    'Ayrıca {one} ve {other} ürünlerimize göz atın.',
    'Genellikle {one} veya {other} ile birlikte alınır.',
  ],
  fillers: [
    'Küçük seriler halinde özenle üretildi.',
    'Müşterilerimiz bu modeli yıllardır seviyor.',
    'Herkesi sevindiren bir hediye.',
    'Üç iş günü içinde teslim edilir.',
    'Her gün için sade tasarım.',
    "Üçüncü kuşak bir aile şirketinden, İstanbul'dan.",
  ],
  features: `
    Yüzeyi çizilmeye dayanıklıdır. | çizilmeye dayanıklı yüzey
    Kumaşı nefes alır. | nefes alan kumaş
    Bağımsız bir laboratuvar tarafından onaylandı. | bağımsız laboratuvarlar
    Danimarkalı bir mimar tarafından tasarlandı. | danimarkalı mimarlar
    Ambalajı geri dönüştürülebilir. | geri dönüştürülebilir ambalaj
    Beş yıl garantilidir. | beş yıl garanti
    Alerjisi olanlara uygundur. | alerji
    Portekiz'de elde dikildi. | portekiz el dikişi
    Katlanarak kolayca saklanır. | katlanır saklama
    Vidasız kurulum. | kurulumu vidasız
    Yağmurdan sonra çabuk kurur. | çabuk kuruyan yağmur
    Cilt dostu ve kokusuzdur. | kokusuz`,
  withSmallWords: [
    'bahçe için bir {adjective} {kind}',
    '{colour} renk {kinds}',
    'bu {adjectives} {kinds} ile',
    'ev için {adjectives} {kinds}',
  ],
  withRequests: [
    'kızım için {adjective} {kind} arıyorum',
    'ucuz {colour} {kinds} nereden alabilirim',
    'iş için {adjectives} {kinds} var mı',
  ],
  unknown: list('astronot şelale parlamento qwerty'),
  sentences: `
    oğlum için ayakkabı 36 numara | shoe | | 36
    düğün için kırmızı elbise | dress | red
    siyah çizmeleri 38 numara | boot | black | 38
    mutfak için keskin bıçaklar | knife
    90x200 yatağı | mattress | | 90x200
    mavi ceketi L beden | jacket | blue | L
    çantanın siyahı | bag | black
    çocuk bisikleti | bicycle
    beyaz masayı | table | white
    KIRMIZI ELBİSE | dress | red
    siyah gomlek | shirt | black
    yeşil çadırda | tent | green`,
};
