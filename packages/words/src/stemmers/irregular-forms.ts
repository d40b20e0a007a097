/**
 * Forms of words that no rule of their language joins, as they are written: those of things that shops sell, and of whom
 * they sell them for. By language, the forms of a word between bars.
 */
export const irregularForms: Readonly<Record<string, string>> = {
  ar: 'أحمر حمراء|أزرق زرقاء|أسود سوداء|أبيض بيضاء|أخضر خضراء|أصفر صفراء|امرأة نساء|ثوب ثياب|رأس رؤوس|كأس كؤوس|طائر طيور|فأرة فئران|سوار أساور|آلة آلات|مرآة مرايا|هدية هدايا|أخ إخوة|يد أيدي|عين أعين عيون|سن أسنان|ماء مياه|شفة شفاه|فم أفواه|نعل نعال|ثدي أثداء|عضو أعضاء',
  cs: 'dítě děti|člověk lidé|oko oči|ucho uši|ruka ruce|pes psi|kůň koně|přítel přátelé|nůž nože|dům domu domy|pes psi psa|velký větší|sůl soli|vítr větru|pyžamo pyžam|rajče rajčata|kuře kuřata|kotě koťata|štěně štěňata|zvíře zvířata',
  da: 'mand mænd|barn børn|fod fødder|hånd hænder|tand tænder|and ænder|gås gæs|ko køer|øje øjne|tang tænger|stang stænger|nat nætter|bog bøger|lille små|ske skeer skeen|hue huer huen|ur ure uret',
  de: 'Kaktus Kakteen|Globus Globen|Atlas Atlanten|Album Alben|Lexikon Lexika|Pizza Pizzen|Praxis Praxen|Firma Firmen|Villa Villen|Museum Museen|Konto Konten|Zentrum Zentren|Aquarium Aquarien|Bus Busse|Kürbis Kürbisse|dunkel dunkle|edel edle|teuer teure|sauer saure|flexibel flexible|hoch hohe',
  en: 'man men|woman women|child children|foot feet|tooth teeth|goose geese|mouse mice|die dice|life lives|hoof hooves|bus buses|gas gases|lens lenses|wool woolen woollen|wood wooden|gold golden|cactus cacti|matrix matrices|radius radii|quick quickly|dye dyed',
  es: 'jersey jerséis',
  fi: 'leipä leivät|pöytä pöydät|kenkä kengät|sänky sängyt|lahja lahjat|kaappi kaapit|takki takit|mies miehet|nainen naiset|lapsi lapset|käsi kädet|vene veneet|huone huoneet|kirje kirjeet|laite laitteet|vaate vaatteet|peite peitteet|tuote tuotteet|housut housuja|veitsi veitset|paita paidat|musta mustat|uusi uudet|pyyhe pyyhkeet|vyö vyöt|hammas hampaat|saapas saappaat|kangas kankaat|sukka sukat|kukka kukat|nukke nuket|käsine käsineet',
  fr: 'œil yeux|travail travaux|vitrail vitraux|bail baux|corail coraux|émail émaux|ciel cieux|monsieur messieurs|vieux vieille|nouveau nouvelle|beau belle|blanc blanche|sec sèche|long longue|doux douce|roux rousse|gros grosse|bas basse|gras grasse|épais épaisse|frais fraîche|gentil gentille|public publique',
  hu: 'ló lovak|fű füvek|kő kövek|tó tavak|szó szavak|ing ingek|cipő cipők|kesztyű kesztyűk|gyűrű gyűrűk|kamera kamerák|baba babák|tükör tükrök',
  it: 'uomo uomini|uovo uova|dito dita|braccio braccia|ginocchio ginocchia|labbro labbra|paio paia|lenzuolo lenzuola|osso ossa|bue buoi',
  ja: '赤い 赤|青い 青|白い 白|黒い 黒|黄色い 黄色|茶色い 茶色|丸い 丸|四角い 四角',
  nb: 'mann menn|fot føtter|hånd hender|tann tenner|natt netter|and ender|gås gjess|øye øyne|tang tenger|stang stenger|tre trær|kne knær|ku kyr|bok bøker|lommebok lommebøker|håndkle håndklær|barn barna|liten lite lille små|skje skjeer skjeen|lue luer lua',
  nl: 'kind kinderen|ei eieren|rund runderen|blad bladeren|lied liederen|schip schepen|stad steden|museum musea|koe koeien|kalf kalveren|lam lammeren|etui etuis|lid leden|vlo vlooien',
  pl: 'dziecko dzieci|człowiek ludzie|ręka ręce rąk|oko oczy|ucho uszy|pies psy psa|ząb zęby|wąż węże węża|gałąź gałęzie|igła igieł|but obuwie|okno okien|szkło szkieł|tydzień tygodnie',
  pt: 'pão pães|cão cães|alemão alemães|guardião guardiães|mão mãos|têxtil têxteis|portátil portáteis|fácil fáceis|útil úteis|ananás ananases|português portuguesa|inglês inglesa|francês francesa|japonês japonesa|chinês chinesa',
  ro: 'masă mese|fată fete|om oameni|bărbat bărbați|femeie femei|ou ouă|piatră pietre|mână mâini|geantă genți|roată roți|floare flori|cafea cafele|perdea perdele|canapea canapele|saltea saltele|curea curele|margea mărgele|șosetă șosete|ladă lăzi|pernă perne|iarbă ierburi|față fețe|inel inele|cercel cercei|cheie chei|copil copii|nou noi|lumânare lumânări|tigaie tigăi',
  ru: 'ребёнок дети|человек люди|стул стулья|лист листья|ухо уши|перо перья|дерево деревья|крыло крылья|яйцо яиц|полотно полотен|кресло кресел|окно окон|ведро вёдер|письмо писем|кольцо колец|кровать кровати|цветок цветы|ковёр ковры|ремень ремни|кукла кукол|туфля туфель|огонь огни|ноготь ногти|локоть локти',
  sv: 'bok böcker|fot fötter|hand händer|tand tänder|mus möss|gås gäss|öga ögon|öra öron|nöt nötter|rot rötter|tång tänger|stång stänger|get getter|man mannen|son söner|dotter döttrar|plånbok plånböcker|bonde bönder|ko kor|tå tår|knä knän|liten litet lilla små|gammal gamla|god gott|sommar somrar|åker åkrar|vatten vattnet',
  tr: 'burun burnu|şehir şehri|oğul oğlu|ağız ağzı|ev evde evi|ip ipi|su suyu',
  uk: 'дитина діти|людина люди|вухо вуха|око очі|стіл столи|стілець стільці|ніж ножі|крісло крісел|вікно вікон|відро відер|чобіт чоботи|ремінь ремені|колір кольори|сукня суконь',
};
