import type { FormsOfLanguage } from './forms.ts';

/** Finnish, Hungarian, Turkish and Arabic. */
export const otherFamilies: Readonly<Record<string, FormsOfLanguage>> = {
  fi: {
    same: `kenkä kengät kengän kenkiä|pöytä pöydät pöydän|tuoli tuolit tuolin|sänky sängyt sängyn|lamppu lamput lampun|kaappi kaapit kaapin|hylly hyllyt hyllyn
      |sohva sohvat sohvan|matto matot maton|verho verhot|tyyny tyynyt tyynyn|peitto peitot peiton|pyyhe pyyhkeet|lautanen lautaset lautasen|kuppi kupit kupin
      |lasi lasit lasin|veitsi veitset|haarukka haarukat haarukan|lusikka lusikat lusikan|pannu pannut pannun|kattila kattilat kattilan|takki takit takin|paita paidat paidan
      |housut housuja|mekko mekot mekon|hame hameet|sukka sukat sukan|hattu hatut hatun|pipo pipot pipon|käsine käsineet|vyö vyöt|laukku laukut laukun|reppu reput repun
      |kello kellot kellon|sormus sormukset|koru korut korun|puhelin puhelimet|kaapeli kaapelit kaapelin|kamera kamerat kameran|pallo pallot pallon|nukke nuket nuken
      |pyörä pyörät pyörän|vasara vasarat vasaran|saha sahat sahan|ruuvi ruuvit ruuvin|avain avaimet|pullo pullot pullon|kori korit korin|kynttilä kynttilät kynttilän
      |maljakko maljakot|peili peilit peilin|punainen punaiset punaisen|sininen siniset sinisen|valkoinen valkoiset|musta mustat mustan|vihreä vihreät vihreän
      |keltainen keltaiset|harmaa harmaat|ruskea ruskeat|suuri suuret|pieni pienet pienen|uusi uudet|leipä leivät|lapsi lapset lapsen|mies miehet|nainen naiset
      |huone huoneet|vene veneet|kirja kirjat kirjan|kukka kukat kukan|käsi kädet|hammas hampaat|saapas saappaat|kangas kankaat|lahja lahjat|tavara tavarat`,
    apart: `kenkä kenttä|pöytä pöly|tuoli tuoksu|tuoli tuuli|sänky sää|lamppu lampi|kaappi kaapeli|hylly hylje|sohva sopu|matto matka|verho verkko|tyyny tynnyri|peitto peili
      |lautanen lauta|kuppi kupari|lasi laskin|lasi lapsi|veitsi vesi|haarukka haara|lusikka luu|pannu panta|kattila katto|paita pallo|mekko meri|hame hammas|sukka sukset
      |hattu hana|pipo pippuri|vyö vyöhyke|laukku laulu|reppu retki|kello kelkka|sormus sormi|koru kori|puhelin puhallin|kamera kamina|pallo palju|nukke nuppi|pyörä pyyhe|vasara vasen
      |saha sakset|ruuvi ruukku|avain avaruus|pullo pulla|kori korkki|kynttilä kynä|maljakko malja|peili peite|punainen puna|valkoinen valo|musta muki|vihreä vihko
      |keltainen kelta|suuri suukko|pieni piena|uusi uuni|leipä leikkuri|lapsi lapio|huone huopa|vene verho|kirja kirves|kukka kukko|käsi käry|kangas kannu|lahja lahna|tavara tavi
      |hyllyt hyvä|matala matto|sauna sauva|teltta televisio`,
  },
  hu: {
    same: `cipő cipők cipőt|csizma csizmák csizmát|szék székek széket|asztal asztalok asztalt|ágy ágyak ágyat|lámpa lámpák lámpát|szekrény szekrények|polc polcok polcot
      |szőnyeg szőnyegek|függöny függönyök|párna párnák párnát|takaró takarók takarót|törölköző törölközők|tányér tányérok|csésze csészék csészét|pohár poharak poharat|kés kések
      |villa villák villát|kanál kanalak kanalat|fazék fazekak|serpenyő serpenyők|kabát kabátok kabátot|ing ingek|póló pólók|nadrág nadrágok|ruha ruhák ruhát|szoknya szoknyák
      |zokni zoknik|kalap kalapok|sapka sapkák sapkát|kesztyű kesztyűk|öv övek|táska táskák táskát|hátizsák hátizsákok|óra órák órát|gyűrű gyűrűk|nyaklánc nyakláncok|telefon telefonok
      |kábel kábelek|kamera kamerák kamerát|labda labdák labdát|baba babák|kerékpár kerékpárok|kalapács kalapácsok|fűrész fűrészek|csavar csavarok|kulcs kulcsok|üveg üvegek
      |kosár kosarak kosarat|gyertya gyertyák|váza vázák vázát|tükör tükrök|piros pirosak|kék kékek|fehér fehérek|fekete feketék|zöld zöldek|sárga sárgák|szürke szürkék|barna barnák
      |nagy nagyok|kicsi kicsik|új újak|ló lovak|könyv könyvek könyvet|virág virágok|gyerek gyerekek|szemüveg szemüvegek|esernyő esernyők|pénztárca pénztárcák|kő kövek|fű füvek`,
    apart: `cipő cipzár|csizma csiga|szék széf|asztal asztma|ágy ágyú|lámpa láng|szekrény szerszám|polc por|szőnyeg szőlő|függöny fül|takaró tacskó|törölköző törülő|tányér tank
      |pohár polip|kés kéz|kés kesztyű|villa villany|kanál kanapé|fazék fal|serpenyő serleg|póló pók|nadrág naptár|ruha rugó|szoknya szobor|zokni zongora
      |kalap kalapács|sapka sajt|kesztyű keret|táska tál|hátizsák hátlap|óra óriás|gyűrű gyűjtő|nyaklánc nyár|telefon televízió|kábel kád|labda lakk|kerékpár kerék
      |kalapács kaland|fűrész fű|csavar csap|kulcs kutya|üveg üst|kosár kos|gyertya gyerek|váza vállfa|piros pirula|kék kéz|fehér fej|fekete fenyő|zöld zöldség|sárga sár
      |barna barack|nagy nád|kicsi kicsengő|ló lobogó|könyv könyök|virág vihar|gyerek gyep|szemüveg szemét|esernyő eső|pénztárca pénz|kő köd|tej tea|só sor|szappan szalag`,
  },
  tr: {
    same: `çanta çantalar çantası çantadan çantanın|kitap kitaplar kitabı|ağaç ağaçlar ağacı|renk renkler rengi|kulaklık kulaklıklar kulaklığı|masa masalar masayı masanın
      |halı halılar halıyı|ayakkabı ayakkabılar ayakkabıyı|gömlek gömlekler gömleği gömleğin|elbise elbiseler elbisesi elbiseyi|çocuk çocuklar çocuğu|burun burunlar burnu
      |şehir şehirler şehri|oğul oğullar oğlu|ev evler evde|kapı kapılar kapısı kapıları|dolap dolaplar dolabı|saat saatler saati|telefon telefonlar telefonu telefonun
      |balon balonlar balonu balonun|salon salonlar salonu salonun|pantolon pantolonlar pantolonu|bıçak bıçaklar bıçağı|yatak yataklar yatağı yatağın|yastık yastıklar yastığı
      |ceket ceketler ceketi|kalem kalemler kalemi|kadın kadınlar|erkek erkekler|bebek bebekler bebeği|bisiklet bisikletler bisikletin|mutfak mutfaklar mutfağı|bahçe bahçeler bahçede
      |top toplar topu|mum mumlar|deri deriler deriden|siyah siyahlar siyahı|şapka şapkalar şapkası|araba arabalar arabası|sandalye sandalyeler sandalyeyi|koltuk koltuklar koltuğu
      |lamba lambalar lambası|perde perdeler perdesi|battaniye battaniyeler|havlu havlular havlusu|tabak tabaklar tabağı|bardak bardaklar bardağı|fincan fincanlar|kaşık kaşıklar kaşığı
      |çatal çatallar çatalı|tencere tencereler tenceresi|tava tavalar tavası|etek etekler eteği|çorap çoraplar çorabı|bot botlar|çizme çizmeler çizmesi|eldiven eldivenler|kemer kemerler kemeri
      |yüzük yüzükler yüzüğü|kolye kolyeler|küpe küpeler küpesi|gözlük gözlükler gözlüğü|şemsiye şemsiyeler|cüzdan cüzdanlar|oyuncak oyuncaklar oyuncağı|çekiç çekiçler çekici
      |testere testereler|vida vidalar|anahtar anahtarlar anahtarı|şişe şişeler şişesi|sepet sepetler sepeti|vazo vazolar|ayna aynalar aynası|ip ipi ipler|su suyu sular`,
    apart: `çanta çan|kitap kitle|ağaç ağ|renk rende|kulaklık kulak|masa masal|halı halka|ayakkabı ayakkabılık|gömlek gömme|elbise elma|çocuk çorap|şehir şeker|ev evrak|kapı kapak|dolap dolma|saat saç|telefon televizyon|balon balık|salon salata|pantolon pano|bıçak bıyık|yatak yat|yastık yaş|ceket cep|kalem kale|kadın kadife|erkek erik
      |bebek bez|bisiklet bisküvi|mutfak mutlu|bahçe bal|top toprak|mum muz|deri ders|siyah silgi|şapka şampuan|araba arı|sandalye sandal|koltuk kolye|lamba lama|perde peri|battaniye bat
      |havlu hava|tabak taban|bardak barut|fincan fil|kaşık kaş|çatal çatı|tencere tenis|tava tavuk|tava tavla|etek et|çorap çorba|bot boya|çizme çizgi|eldiven el|kemer kemik|yüzük yün
      |kolye kolonya|küpe küp|gözlük göz|şemsiye şema|cüzdan cüz|oyuncak oyun|çekiç çelik|testere test|vida video|anahtar ananas|şişe şiş|sepet sebze|vazo vapur|ayna ayran|su sucuk`,
  },
  ar: {
    same: `رف الرف رفوف|خف الخف|يد اليد|رف والرف|رف بالرف|رف للرف|حقيبة حقائب الحقيبة|كرسي كراسي الكرسي|طاولة طاولات|مصباح مصابيح|ستارة ستائر|سجادة سجاد|قلم أقلام|كتاب كتب
      |باب أبواب|نافذة نوافذ|مفتاح مفاتيح|صحن صحون|طبق أطباق|كوب أكواب|ملعقة ملاعق|سكين سكاكين|فستان فساتين|قميص قمصان|بنطلون بناطيل|حذاء أحذية|معطف معاطف|جورب جوارب|ثوب ثياب
      |خاتم خواتم|سوار أساور|قلادة قلائد|ساعة ساعات|هاتف هواتف|حاسوب حواسيب|لعبة ألعاب|كرة كرات|دراجة دراجات|خيمة خيام|سرير أسرة|وسادة وسائد|مرآة مرايا|غطاء أغطية|منشفة مناشف
      |فرشاة فرش|مشط أمشاط|عطر عطور|زيت زيوت|لون ألوان|أحمر حمراء|أزرق زرقاء|أسود سوداء|أبيض بيضاء|أخضر خضراء|أصفر صفراء|بني بنية|كبير كبيرة|صغير صغيرة|جديد جديدة|رجالي رجالية|نسائي نسائية
      |ولد أولاد|بنت بنات|طفل أطفال|امرأة نساء|رجل رجال|مطبخ مطابخ|بيت بيوت|غرفة غرف|صندوق صناديق|سلة سلال|مسمار مسامير|منشار مناشير|سلم سلالم|كأس كؤوس|إبريق أباريق|قدر قدور|فرن أفران
      |ثلاجة ثلاجات|مروحة مراوح|شمعة شموع|صورة صور|سيارة سيارات|حبل حبال`,
    apart: `رف رفيق|رف رز|خف خبز|يد يمين|حقيبة حقل|كرسي كرة|طاولة طبلة|مصباح مصعد|سجادة سجق|قلم قلب|كتاب كتف|باب بيت|باب بحر|نافذة نافورة|مفتاح مفرش|صحن صحراء|طبق طبل
      |كوب كيس|ملعقة ملعب|سكين سكر|فستان فستق|قميص قماش|بنطلون بنفسج|حذاء حزام|معطف معجون|جورب جوز|خاتم خزانة|ساعة سائل|هاتف هدية|حاسوب حامل|لعبة لبن|كرة كرز|خيمة خيط
      |سرير سروال|وسادة وشاح|مرآة مروحة|غطاء غسالة|منشفة منشار|فرشاة فراولة|مشط مسطرة|عطر عسل|لون لوز|أحمر أخضر|أسود أبيض|كبير كبريت|صغير صقر|جديد جدار|بنت بندق
      |طفل طين|مطبخ مطر|بيت بيض|غرفة غزال|صندوق صنبور|سلة سمك|مسمار مسدس|سلم سلك|كأس كابل|قدر قدم|فرن فول|شمعة شمس|صورة صوف|سيارة سيف|حبل حبر|ماء مكتب|خبز خاتم|تفاح تلفاز`,
  },
};
