import type { FormsOfLanguage } from './forms.ts';

/** Polish, Czech, Russian and Ukrainian. */
export const slavic: Readonly<Record<string, FormsOfLanguage>> = {
  pl: {
    same: `torba torby toreb torbę|lustro lustra luster|sweter swetra swetry swetrów|bluza bluzy bluz|but buty butów butami|sukienka sukienki sukienek
      |książka książki książek książkę|ręka ręce rąk|łóżko łóżka łóżek|krzesło krzesła krzeseł|wiadro wiadra wiader|okno okna okien|pudełko pudełka pudełek
      |biurko biurka biurek|lampka lampki lampek|lampa lampy lamp lampę|szafka szafki szafek|szafa szafy szaf|poduszka poduszki poduszek|piłka piłki piłek
      |stół stoły stołu stole|nóż noże noża noży|wózek wózki wózka|zegarek zegarka zegarki|garnek garnka garnki|kubek kubka kubki|młotek młotka młotki
      |widelec widelca widelce|koc koce koca|pies psy psa|kot kota koty|dziecko dzieci dziecka|rower rowery roweru|telefon telefony telefonu|plecak plecaki plecaków
      |czapka czapki czapek|rękawiczka rękawiczki rękawiczek|skarpetka skarpetki skarpetek|majtki majtek|spodnie spodni|okulary okularów|nożyczki nożyczek
      |klucz klucze kluczy|śruba śruby śrub|wkrętak wkrętaki|pędzel pędzla pędzle|kabel kabla kable|mebel meble mebli|butelka butelki butelek|igła igły igieł
      |czerwony czerwona czerwone czerwonego czerwoną czerwonych|biały biała białe białego|zielony zielona zielonej|niebieski niebieska niebieskich
      |mały mała małe|duży duża dużego|tani tania taniego|dziecięcy dziecięca dziecięcych|zimowy zimowa zimowe|koło koła kół|głowa głowy głów
      |szkło szkła szkieł|ząb zęby zębów|wąż węże węża|pierścionek pierścionki|kolczyk kolczyki|obrus obrusy|deska deski desek|łyżka łyżki łyżek
      |szklanka szklanki szklanek|talerz talerze talerza|koszula koszule koszul|kurtka kurtki kurtek|dywan dywany dywanu|ręcznik ręczniki ręczników
      |świeca świece świec|wazon wazony|cebula cebule|płaszcz płaszcze płaszcza|rajstopy rajstop|krem kremy kremu|papier papieru papiery|komputer komputera komputery`,
    apart: `torba torebka|torba tort|lustro lusterko|bluza bluzka|but butelka|but butik|sukienka sukno|ręka rękaw|ręka ręcznik|łóżko łódź|łóżko łyżka|krzesło krzew
      |wiadro wiatr|okno okulary|okno okap|pudełko puder|biurko biuro|lampa lampka|lampa lama|szafa szafka|szafa szal|poduszka podest|piłka piła|stół stołek|stół stopa
      |nóż nożyczki|nóż nos|wózek wóz|zegarek zegar|garnek garnitur|garnek garaż|kubek kuba|młotek młyn|widelec widok|koc kocioł|koc kot|pies pieprz|kot kotlet
      |rower rowek|telefon telewizor|plecak plecionka|czapka czajnik|skarpetka skarb|spodnie spód|okulary okleina|klucz klosz|śruba śrubokręt|pędzel pęseta
      |kabel kabina|mebel melon|butelka butla|igła iglak|czerwony czerw|biały biurowy|zielony zielnik|niebieski niebo|mały malina|duży dusza|koło kołdra
      |koło kolor|kołdra kolba|głowa głośnik|szkło szklanka|ząb zabawka|pierścionek pierś|kolczyk kolba|obrus obraz|obraz obroża|deska deser|łyżka łyżwa|talerz talk
      |koszula kosz|kosz koszyk|kurtka kura|dywan dynia|świeca świat|wazon waza|wanna wata|płaszcz plaster|krem krew|papier papryka|rura rurka|ser sernik|sól sos|mata materac`,
  },
  cs: {
    same: `taška tašky tašek tašku|hrnek hrnky hrnku|pásek pásky pásku|stůl stoly stolu|nůž nože|dům domu domy|kůň koně|pes psa psi|kniha knihy knih knihu
      |noha nohy nohou|ruka ruce rukou|oko oči|dítě děti|židle židlí|postel postele|skříň skříně|myš myši|klíč klíče|kolo kola kol|okno okna oken|křeslo křesla křesel
      |světlo světla světel|prádlo prádla|zrcadlo zrcadla zrcadel|sklo skla|mýdlo mýdla mýdel|lžíce lžic|svíčka svíčky svíček|ponožka ponožky ponožek
      |konvice konvic|talíř talíře|kabát kabáty kabátu kabátem|bota boty bot botách|šaty šatů šatech|kalhoty kalhot kalhotách|brýle brýlí|nůžky nůžek|dveře dveří
      |červený červená červené červeného|modrý modrá modré modrou|bílý bílá bílé bílých|malý malá malé|velký velká velké větší|levný levná levné|dětský dětská dětské dětských
      |zimní zimních|kožený kožená kožené|dřevěný dřevěná dřevěné|sůl soli|polštář polštáře|stolek stolky stolku|košík košíky|míček míčky|koberec koberce
      |šroub šrouby šroubů|vrtačka vrtačky vrtaček|žárovka žárovky žárovek|baterie baterií|nabíječka nabíječky nabíječek|sluchátko sluchátka sluchátek
      |tiskárna tiskárny tiskáren|hodiny hodin|hodinky hodinek|prsten prsteny|náušnice náušnic|deštník deštníky deštníků|rukavice rukavic|čepice čepic|šála šály šál
      |pyžamo pyžama pyžam|ručník ručníky|lampa lampy lamp|sukně sukní|košile košil|bunda bundy bund|svetr svetry svetru|batoh batohy batohu|láhev láhve lahví
      |váza vázy|deka deky|záclona záclony záclon|koš koše|salát saláty salátu|formát formáty formátu|vařič vařiče|pánev pánve pánví|vidlička vidličky vidliček|hračka hračky hraček`,
    apart: `taška tabule|hrnek hrnec|hrnec hrob|stůl stolička|stůl strom|nůž nůžky|dům duha|kniha knír|noha nohavice|ruka rukáv|ruka rukavice|postel postava
      |myš mýdlo|kolo kolík|kolo koláč|kolo kolečko|okno okap|křeslo křest|světlo svět|světlo svetr|prádlo pračka|zrcadlo zrno|sklo sklenice|svíčka svíčen|konvice koni
      |talíř talisman|kabát kabel|kabel kabina|bota botník|bota bodlák|šaty šátek|kalhoty kalich|červený červ|modrý model|bílý bidlo|malý malina|velký vel|levný levandule
      |zimní zima|kožený koza|dřevěný dřez|sůl sud|polštář polička|stolek stožár|košík kost|míček mince|koberec kobliha|šroub šrot|vrtačka vrba|baterie batoh|sluchátko sluha
      |hodiny hodně|prsten prst|deštník deska|rukavice rukojeť|čepice čepel|šála šalvěj|pyžamo pytel|ručník ruce|lampa lama|košile košík|bunda buben|svetr světlo
      |batoh bat|láhev lahůdka|váza vázanka|váza vápno|deka dekor|záclona zác|koš kost|koš kostka|pánev panenka|hračka hrad|sýr syrup|med medaile|mísa míč
      |pila pilník|vana vanilka|voda vodítko|víno vír|káva kavárna`,
  },
  ru: {
    same: `книга книги книг книгу|стол столы столов столе|стул стулья|кресло кресла кресел|окно окна окон|сумка сумки сумок сумку|чашка чашки чашек|ложка ложки ложек
      |вилка вилки вилок|нож ножи ножа ножей|тарелка тарелки тарелок|кружка кружки кружек|бутылка бутылки бутылок|подушка подушки подушек|одеяло одеяла одеял
      |полотенце полотенца полотенец|ковёр ковры ковра|шкаф шкафы шкафа|полка полки полок|лампа лампы ламп|зеркало зеркала зеркал|кровать кровати кроватей
      |платье платья платьев|рубашка рубашки рубашек|юбка юбки юбок|брюки брюк|куртка куртки курток|пальто пальто|свитер свитера свитеров|носок носки носков
      |ботинок ботинки ботинок|сапог сапоги сапог|туфля туфли туфель|кроссовки кроссовок|шапка шапки шапок|шарф шарфы шарфа|перчатка перчатки перчаток
      |ремень ремни ремня|кольцо кольца колец|серьга серьги|часы часов|очки очков|телефон телефоны телефона|наушник наушники наушников|кабель кабели кабеля
      |зонт зонты зонта|рюкзак рюкзаки рюкзака|кошелёк кошельки кошелька|мяч мячи мяча|кукла куклы кукол|игрушка игрушки игрушек|велосипед велосипеды велосипеда
      |молоток молотки молотка|пила пилы пил|отвёртка отвёртки отвёрток|дрель дрели|гвоздь гвозди гвоздей|щётка щётки щёток|ведро вёдра вёдер|кастрюля кастрюли кастрюль
      |красный красная красное красные красного|синий синяя синее синие|белый белая белое белые|чёрный чёрная чёрное чёрные|зелёный зелёная зелёные|большой большая большие
      |маленький маленькая маленькие|дешёвый дешёвая дешёвые|деревянный деревянная деревянные|кожаный кожаная|детский детская детские|зимний зимняя зимние|новый новая новые
      |мешок мешки мешков|ребёнок дети|ваза вазы ваз|свеча свечи свечей|стакан стаканы стакана|цветок цветы|коробка коробки коробок|ключ ключи ключей`,
    apart: `книга кнопка|стол столб|стол столица|стул ступа|кресло крест|окно окорок|сумка сутки|чашка чаша|чашка чайник|ложка ложь|ложка лодка|вилка вилы|нож ножницы|нож ножка
      |тарелка тара|кружка круг|кружка кружево|бутылка бутик|подушка подарок|одеяло одежда|полотенце полотно|полотно полка|ковёр ковш|шкаф шкала|полка полоска|полка полька|лампа лампада|зеркало зерно
      |кровать кровь|кровать кровля|платье платок|рубашка рубль|юбка юнга|брюки брюква|куртка курица|свитер свист|носок нос|ботинок ботва|сапог сап|туфля туф|шапка шампунь
      |шарф шар|шарф шарик|перчатка перец|ремень ремонт|кольцо кол|кольцо колесо|серьга серый|часы чаша|часы часть|очки очаг|телефон телевизор|наушник наука|кабель кабинет|зонт зона
      |рюкзак рюмка|кошелёк кошка|мяч мята|кукла кукуруза|игрушка игра|игла игра|велосипед весы|молоток молоко|пила пилка|пила пилюля|дрель древо|гвоздь гвоздика|щётка щека|ведро ведьма
      |кастрюля касса|красный краска|синий синтез|зелёный зелье|большой боль|дешёвый дело|деревянный деревня|кожаный кожа|детский деталь|новый нора|мешок мех
      |ваза вазон|вата вафля|свеча свет|свеча свёкла|стакан станок|коробка корова|коробка корабль|ключ клюв|мыло мышь|мука муха|соль солома`,
  },
  uk: {
    same: `книга книги книг книгу|стіл столи|стілець стільці|крісло крісла крісел|вікно вікна вікон|сумка сумки сумок|чашка чашки чашок|ложка ложки ложок
      |виделка виделки виделок|ніж ножі|тарілка тарілки тарілок|пляшка пляшки пляшок|подушка подушки подушок|ковдра ковдри ковдр|рушник рушники рушників|килим килими килима
      |шафа шафи шаф|полиця полиці полиць|лампа лампи ламп|дзеркало дзеркала дзеркал|ліжко ліжка ліжок|сукня сукні суконь|сорочка сорочки сорочок|спідниця спідниці спідниць
      |куртка куртки курток|светр светри светра|черевик черевики черевиків|чобіт чоботи|шапка шапки шапок|шарф шарфи шарфа|рукавичка рукавички рукавичок|ремінь ремені
      |годинник годинники годинника|окуляри окулярів|телефон телефони телефона|навушник навушники навушників|кабель кабелі кабеля|рюкзак рюкзаки рюкзака
      |лялька ляльки ляльок|іграшка іграшки іграшок|велосипед велосипеди велосипеда|молоток молотки молотка|щітка щітки щіток|відро відра відер
      |каструля каструлі каструль|червоний червона червоне червоні червоного|синій синя синє сині|білий біла біле білі|чорний чорна чорне чорні|зелений зелена зелені
      |великий велика великі|маленький маленька маленькі|дешевий дешева дешеві|дитячий дитяча дитячі|зимовий зимова зимові|новий нова нові|мішок мішки мішків
      |дитина діти|ваза вази ваз|свічка свічки свічок|склянка склянки склянок|коробка коробки коробок|ключ ключі ключів|гвинт гвинти гвинта|парасолька парасольки парасольок
      |гаманець гаманці|капелюх капелюхи|штани штанів|футболка футболки футболок`,
    apart: `книга кнопка|стіл стіна|крісло кріп|вікно віник|сумка сутінки|чашка чайник|ложка лоза|виделка видра|ніж ніс|тарілка тара|пляшка пляж|подушка подарунок|ковдра ковбаса|рушник рух
      |килим кит|шафа шахи|полиця полуниця|лампа лампада|дзеркало дзвін|ліжко ліхтар|сорочка сорока|спідниця спина|куртка курка|светр свято|черевик череп|шапка шампунь
      |шарф шар|рукавичка рукав|ремінь ремонт|годинник година|окуляри окріп|телефон телевізор|навушник наука|кабель кабінет|рюкзак рюмка|лялька лямпа|іграшка ігри|велосипед весло
      |молоток молоко|пила пиво|щітка щока|відро відео|каструля каса|синій синтез|білий білизна|чорний чорнило|зелений зебра|великий вежа|маленький малина|дешевий дерево
      |дитячий диван|новий нора|мішок міст|ваза вазон|вата вафля|свічка світло|склянка склад|коробка корова|ключ клей|гвинт гвоздика|парасолька парафін|гаманець гарбуз
      |капелюх капуста|штани штора|футболка футляр|мило миша|мука муха|сіль сік|сир сироп`,
  },
};
