import { after, joined, list, pairs, type ShopWords } from './shop-words.ts';

/** Of trades, further east. */
export const easternTrades: readonly ShopWords[] = [
  {
    locale: 'pl',
    kinds: pairs(
      'łopata/łopaty grabie/grabi konewka/konewki piła/piły młotek/młotki pędzel/pędzle maść/maści bandaż/bandaże strzykawka/strzykawki gitara/gitary flet/flety bęben/bębny',
    ),
    departments: list('ogrodnictwo warsztat apteka muzyka'),
    uses: list('składany kieszonkowy szkolny turystyczny hobbystyczny studyjny'),
    named: after,
    colours: list('niebieski pomarańczowy srebrny brązowy szary różowy'),
    materials: list('aluminium dąb mosiądz guma len'),
    of: 'z',
    small: list('w oraz ze od'),
    goesWith: (one, other) => `Często kupowane razem: ${one} i ${other}.`,
    fillers: list(
      'solidny lekki praktyczny niezawodny zwarty rzemiosło ergonomiczny wyważony mocny początkujący sezon sprawdzony',
    ),
    rare: list('nierdzewny hipoalergiczny skalibrowany rozkładalny wodoodporny nastrojony młynek beton'),
    synonyms: [
      ['szpadel', 0],
      ['opatrunek', 7],
    ],
  },
  {
    locale: 'cs',
    kinds: pairs(
      'lopata/lopaty hrábě/hrábí konev/konve pila/pily kladivo/kladiva štětec/štětce mast/masti obvaz/obvazy stříkačka/stříkačky kytara/kytary flétna/flétny buben/bubny',
    ),
    departments: list('zahradnictví dílna lékárna hudba'),
    uses: list('kapesní školní studiový turistický domácí mládežnický'),
    named: after,
    colours: list('modrý oranžový stříbrný hnědý šedý růžový'),
    materials: list('hliník dub mosaz guma len'),
    of: 'z',
    small: list('v ze od nebo'),
    goesWith: (one, other) => `Často se kupuje společně: ${one} a ${other}.`,
    fillers: list(
      'pevný lehký praktický spolehlivý kompaktní řemeslo ergonomický vyvážený robustní začátečník sezóna vyzkoušený',
    ),
    rare: list('nerezový hypoalergenní kalibrovaný rozložitelný vodotěsný naladěný kladina buket'),
    synonyms: [
      ['rýč', 0],
      ['náplast', 7],
    ],
  },
  {
    locale: 'ru',
    kinds: pairs(
      'лопата/лопаты грабли/граблей лейка/лейки пила/пилы молоток/молотки кисть/кисти мазь/мази бинт/бинты шприц/шприцы гитара/гитары флейта/флейты барабан/барабаны',
    ),
    departments: list('садоводство мастерская аптека музыка'),
    uses: list('складной карманный школьный студийный походный любительский'),
    named: after,
    colours: list('синий оранжевый серебряный коричневый серый розовый'),
    materials: list('алюминий дуб латунь резина лён'),
    of: 'из',
    small: list('и для на с'),
    goesWith: (one, other) => `Часто покупают вместе: ${one} и ${other}.`,
    fillers: list(
      'прочный лёгкий практичный надёжный компактный ремесло эргономичный уравновешенный крепкий новичок сезон проверенный',
    ),
    rare: list('нержавеющий гипоаллергенный откалиброванный разлагаемый водонепроницаемый настроенный молоко лопасть'),
    synonyms: [
      ['заступ', 0],
      ['повязка', 7],
    ],
  },
  {
    locale: 'ar',
    kinds: pairs(
      'مجرفة/مجارف مشط/أمشاط إبريق/أباريق منشار/مناشير مطرقة/مطارق فرشاة/فرش مرهم/مراهم ضمادة/ضمادات محقنة/محاقن غيتار/غيتارات مزمار/مزامير طبلة/طبول',
    ),
    departments: list('بستنة ورشة صيدلية موسيقى'),
    uses: list('جيبي مدرسي احترافي تخييم هواة شبابي'),
    named: after,
    colours: list('أزرق برتقالي فضي بني رمادي وردي'),
    materials: list('ألمنيوم بلوط نحاس مطاط كتان'),
    of: 'من',
    small: list('أو عن هذا بين'),
    goesWith: (one, other) => `يشترى غالبا مع ${one} و${other}.`,
    fillers: list('ثابت خفيف عملي موثوق صغير حرفة مريحة متوازن قوي مبتدئ موسم مجرب'),
    rare: list('مقاوم لطيف معاير متحلل عازل مدوزن مطرة منشور'),
    synonyms: [
      ['رفش', 0],
      ['دف', 11],
    ],
  },
  {
    locale: 'ja',
    kinds: pairs(
      '園芸スコップ/スコップ 竹熊手/熊手 散水じょうろ/じょうろ 電動のこぎり/のこぎり 金槌/金槌 塗装ブラシ/ブラシ 塗り薬/塗り薬 絆創膏/絆創膏 体温計/体温計 電子ギター/ギター 横笛/横笛 和太鼓/太鼓',
    ),
    departments: list('園芸用品 工具用品 医薬用品 楽器用品'),
    uses: list('携帯用 学校用 野外用 競技用 練習用 専門家'),
    named: joined,
    unspaced: true,
    colours: list('青色 橙色 銀色 茶色 灰色 桃色'),
    materials: list('アルミ 樫材 真鍮 ゴム 麻布'),
    of: 'の',
    small: list('は も で に'),
    goesWith: (one, other) => `${one}と${other}を一緒に購入する方が多い商品です。`,
    fillers: list('頑丈 軽量 実用 信頼 小型 職人 人間工学 均衡 堅牢 入門 季節 検査済'),
    rare: list('防錆加工 低刺激 校正済み 生分解性 完全防水 調律済 体重計 横綱'),
    synonyms: [
      ['シャベル', 0],
      ['ハンマー', 4],
    ],
  },
  {
    locale: 'zh',
    kinds: pairs(
      '园艺铁锹/铁锹 竹耙子/耙子 浇水壶/水壶 手锯子/锯子 羊角锤/羊角锤 油漆刷/油漆刷 消炎药膏/药膏 医用绷带/绷带 体温计/体温计 民谣吉他/吉他 竹笛子/笛子 架子鼓/架子鼓',
    ),
    departments: list('园艺用品 五金工具 医药用品 乐器用品'),
    uses: list('便携 学校 户外 专业 儿童 练习'),
    named: joined,
    unspaced: true,
    colours: list('蓝色 橙色 银色 棕色 灰色 粉色'),
    materials: list('铝合金 橡木 黄铜 橡胶 亚麻'),
    of: '的',
    small: list('的 和 在 与'),
    goesWith: (one, other) => `常与${one}和${other}一起购买。`,
    fillers: list('结实 轻便 实用 可靠 小巧 手工 人体工学 平衡 坚固 入门 季节 经过检测'),
    rare: list('防锈处理 低敏配方 精准校准 可降解 完全防水 调音完成 体重计 笛声'),
    synonyms: [
      ['铲子', 0],
      ['榔头', 4],
    ],
  },
];
