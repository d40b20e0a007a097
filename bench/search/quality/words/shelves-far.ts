import type { Shelf } from './shelf.ts';

/** Spare parts, groceries, furniture and books, in scripts other than Latin, Greek and Cyrillic, and in Asia. */
export const farShelves: readonly Shelf[] = [
  {
    locale: 'ar',
    products: `
      e1 | بطارية هاتف سامسونج | سامسونج | EB-BG991 | أصلية
      e2 | شاحن سريع 25 واط | أنكر | A2-140 | منفذ واحد
      e3 | فلتر مكنسة كهربائية | فيليبس | FC-6085 | قابل للغسل
      g1 | زيت زيتون بكر 1 لتر | الوزير | 6281000 | عصرة أولى
      g2 | تمر مجدول 500 غ | المدينة | 6282000 | طازج
      g3 | خبز أسمر | لوزين | 6283000 | حبوب كاملة
      f1 | كرسي مكتب دوار | هوم بوكس | KR-10 | قابل للتعديل
      f2 | طاولة طعام خشبية | دانوب | TA-6 | ستة أشخاص
      f3 | سرير أطفال | جونيورز | SR-3 | مع حاجز
      c1 | حذاء رياضي رجالي | نايكي | NK-77 | خفيف
      c2 | قميص قطني أبيض | مانجو | QM-21 | مقاسات كبيرة
      c3 | فستان سهرة طويل | زارا | FS-40 | حرير
      b1 | كتاب ألف ليلة وليلة | مجهول | 9789950 | حكايات
      b2 | ثلاثية القاهرة | نجيب محفوظ | 9789770 | رواية`,
    questions: `
      other form | كتب | b1
      other form | أحذية رياضية | c1
      other form | قمصان | c2
      other form | فساتين | c3
      other form | كراسي | f1
      other form | طاولات | f2
      other form | أسرة أطفال | f3
      other form | بطاريات | e1
      other form | شواحن | e2
      head noun | الكرسي | f1
      author | نجيب محفوظ | b2
      code | fc6085 | e3
      units | زيت 1لتر | g1
      one edit | مكنسه كهربائيه | e3
      other form with a typo | فساتن | c3
      beginning | بطار | e1
      one wrong word | تمر مجدول zzyqx | g2
      stop words | فلتر في مكنسة | e3
      guard | رواية | b2`,
    goesWith: (one, other) => `يشترى عادة مع ${one} و${other}.`,
  },
  {
    locale: 'ja',
    products: `
      e1 | パソコン用バッテリー | エレコム | DE-C37 | 大容量
      e2 | 掃除機フィルター | 日立 | CV-T41 | 水洗いできる
      e3 | プリンターインク 黒 | キヤノン | BCI-381 | 純正品
      e4 | コンピューター用キーボード | ロジクール | K-295 | 静音
      g1 | りんごジュース 1L | カゴメ | 4901306 | 果汁百パーセント
      g2 | 無洗米 5kg | パールライス | 4902000 | 新潟産
      g3 | さけフレーク 100g | マルハ | 4903000 | 瓶詰め
      f1 | 木製ダイニングチェア | ニトリ | DC-20 | 背もたれ付き
      f2 | ガラステーブル | 無印良品 | GT-8 | 強化ガラス
      f3 | こたつ布団 | イケヒコ | KT-5 | 洗える
      c1 | 子供くつ 18cm | アシックス | KS-18 | マジックテープ
      c2 | めがねケース | パリミキ | MG-2 | 軽い
      b1 | ノルウェイの森 | 村上春樹 | 9784062 | 小説
      b2 | 吾輩は猫である | 夏目漱石 | 9784101 | 文学`,
    questions: `
      other script | リンゴ ジュース | g1
      other script | クツ | c1
      other script | メガネ | c2
      other script | サケ | g3
      other script | ｺﾝﾋﾟｭｰﾀｰ | e4
      long vowel | コンピュータ | e4
      long vowel | プリンタ インク | e3
      long vowel | バッテリ | e1
      long vowel | フィルタ | e2
      no spaces | ダイニング チェア | f1
      no spaces | テーブル | f2
      no spaces | 布団 | f3
      code | bci381 | e3
      units | 無洗米 5 kg | g2
      units | りんごジュース１Ｌ | g1
      author | 村上 春樹 | b1
      author | 夏目漱石 | b2
      one edit | ダイニングチュア | f1
      beginning | キーボ | e4
      guard | 新潟産 | g2`,
    goesWith: (one, other) => `${one}や${other}と一緒にどうぞ。`,
  },
  {
    locale: 'zh',
    products: `
      e1 | 笔记本电脑电池 | 联想 | L16-M2 | 原装配件
      e2 | 手机充电器 65W | 华为 | HW-200 | 快充
      e3 | 吸尘器滤网 | 小米 | MJ-03 | 可水洗
      g1 | 东北大米 10kg | 福临门 | 6901000 | 新米上市
      g2 | 特级初榨橄榄油 1L | 欧丽薇兰 | 6902000 | 西班牙进口
      g3 | 草莓果酱 300克 | 丘比 | 6903000 | 低糖
      f1 | 实木餐桌 | 林氏 | CZ-14 | 可伸缩
      f2 | 办公椅 | 西昊 | M-57 | 人体工学
      f3 | 儿童书架 | 宜家 | SJ-2 | 环保漆
      b1 | 三体 | 刘慈欣 | 9787536 | 科幻小说
      b2 | 围城 | 钱锺书 | 9787020 | 长篇`,
    questions: `
      head noun | 电池 | e1
      head noun | 餐桌 | f1
      head noun | 书架 | f3
      head noun | 椅 | f2
      no spaces | 电脑 电池 | e1
      no spaces | 橄榄油 | g2
      code | mj03 | e3
      units | 大米 10 kg | g1
      units | 充电器 65w | e2
      author | 刘慈欣 三体 | b1
      beginning | 草莓果 | g3
      one wrong word | 吸尘器滤网 zzyqx | e3
      guard | 科幻 | b1`,
    goesWith: (one, other) => `可与${one}、${other}搭配。`,
  },
  {
    locale: 'ko',
    products: `
      e1 | 노트북 배터리 | 삼성 | AA-PB9 | 정품
      e2 | 청소기 필터 | 엘지 | ADQ-731 | 물세척 가능
      e3 | 휴대폰 충전기 25W | 삼성 | EP-T25 | 고속
      g1 | 현미 5kg | 청정원 | 8801000 | 국내산
      g2 | 딸기잼 500g | 오뚜기 | 8802000 | 무설탕
      g3 | 참기름 320ml | 백설 | 8803000 | 고소한 맛
      f1 | 원목 식탁 의자 | 한샘 | ES-1 | 등받이
      f2 | 컴퓨터 책상 | 데스커 | DS-2 | 높이 조절
      f3 | 어린이 책장 | 일룸 | CJ-3 | 친환경
      b1 | 채식주의자 | 한강 | 9788936 | 소설
      b2 | 엄마를 부탁해 | 신경숙 | 9788937 | 장편`,
    questions: `
      head noun | 의자 | f1
      head noun | 책상 | f2
      other form | 의자를 | f1
      other form | 책상은 | f2
      other form | 충전기가 | e3
      other form | 배터리의 | e1
      no spaces | 청소기필터 | e2
      no spaces | 컴퓨터책상 | f2
      no spaces | 딸기 잼 | g2
      code | aapb9 | e1
      units | 현미 5 kg | g1
      author | 한강 채식주의자 | b1
      beginning | 어린 | f3
      one edit | 충전가 | e3
      one wrong word | 원목 식탁 zzyqx | f1
      guard | 등받이 | f1`,
    goesWith: (one, other) => `${one}, ${other} 함께 구매하세요.`,
  },
  {
    locale: 'th',
    products: `
      e1 | แบตเตอรี่โน้ตบุ๊ก | เอเซอร์ | AC-14B | ของแท้
      e2 | สายชาร์จมือถือ 2 เมตร | อังเกอร์ | AK-81 | ชาร์จเร็ว
      g1 | ข้าวหอมมะลิ 5 กก. | มาบุญครอง | 8850000 | ข้าวใหม่
      g2 | น้ำปลาแท้ 700 มล. | ทิพรส | 8851000 | ตราคนหมักปลา
      f1 | เก้าอี้สำนักงาน | โมเดอร์น | MD-3 | ปรับระดับ
      f2 | โต๊ะอาหารไม้ | อินเด็กซ์ | IX-6 | หกที่นั่ง
      f3 | ชั้นวางหนังสือ | คอนเซ็ปต์ | CP-5 | ห้าชั้น
      b1 | สี่แผ่นดิน | คึกฤทธิ์ ปราโมช | 9786160 | นวนิยาย`,
    questions: `
      head noun | เก้าอี้ | f1
      head noun | โต๊ะ | f2
      head noun | แบตเตอรี่ | e1
      no spaces | โต๊ะอาหาร | f2
      no spaces | หนังสือ | f3
      no spaces | ข้าวหอมมะลิ | g1
      code | ac14b | e1
      author | ปราโมช | b1
      one wrong word | น้ำปลา zzyqx | g2
      guard | นวนิยาย | b1`,
    goesWith: (one, other) => `ใช้คู่กับ ${one} หรือ ${other}`,
  },
  {
    locale: 'hi',
    products: `
      e1 | लैपटॉप बैटरी | डेल | DL-51 | असली
      e2 | मोबाइल चार्जर 18W | शाओमी | MI-18 | तेज़
      g1 | बासमती चावल 5 किलो | इंडिया गेट | 8901000 | पुराना
      g2 | सरसों का तेल 1 लीटर | फॉर्च्यून | 8902000 | शुद्ध
      f1 | लकड़ी की कुर्सी | नीलकमल | NK-4 | मज़बूत
      f2 | पढ़ाई की मेज़ | गोदरेज | GJ-2 | दराज वाली
      f3 | किताबों की अलमारी | गोदरेज | GJ-7 | पाँच खाने
      b1 | गोदान | मुंशी प्रेमचंद | 9788126 | उपन्यास`,
    questions: `
      other form | कुर्सियां | f1
      other form | किताब अलमारी | f3
      other form | बैटरियां | e1
      head noun | चावल | g1
      without accents | मेज | f2
      code | dl51 | e1
      units | चार्जर 18 w | e2
      author | प्रेमचंद | b1
      stop words | सरसों तेल | g2
      one wrong word | बासमती चावल zzyqx | g1
      guard | उपन्यास | b1`,
    goesWith: (one, other) => `${one} और ${other} के साथ खरीदें।`,
  },
  {
    locale: 'id',
    products: `
      e1 | Baterai laptop | Asus | A32-K53 | Asli
      e2 | Pengisi daya ponsel 33 W | Xiaomi | MDY-11 | Cepat
      g1 | Beras pandan wangi 5 kg | Maknyuss | 8991000 | Pulen
      g2 | Kecap manis 520 ml | Bango | 8992000 | Kedelai hitam
      f1 | Kursi makan kayu jati | Ligna | KJ-1 | Ukiran
      f2 | Meja belajar anak | Olympic | MB-2 | Laci
      f3 | Lemari pakaian tiga pintu | Activ | LP-3 | Cermin
      b1 | Laskar Pelangi | Andrea Hirata | 9789793 | Novel`,
    questions: `
      head noun | kursi | f1
      other form | lemarinya | f3
      other form | kursinya | f1
      other form | mejanya | f2
      code | a32k53 | e1
      units | beras 5kg | g1
      units | kecap 520ml | g2
      author | andrea hirata | b1
      one edit | bateri laptop | e1
      beginning | pengis | e2
      one wrong word | lemari pakaian zzyqx | f3
      guard | kedelai | g2`,
    goesWith: (one, other) => `Cocok dengan ${one} dan ${other}.`,
  },
];
