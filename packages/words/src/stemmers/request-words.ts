/**
 * Words with which people ask a shop for something, by language: they buy, look for, want and need it, politely, and for little money. They say
 * nothing about what it is. None of them is also a thing that a shop may have, as the look, the order and the Spanish `compra` are, nor the beginning of
 * many: with Swedish `köp` one is about to type *kopp*.
 */
export const requestWords: Readonly<Record<string, string>> = {
  ar: 'أبحث أشتري شراء أريد لديكم عندكم',
  cs: 'hledám hledat hledáme koupit koupím kupuji chci chceme potřebuji prosím levně levný levná levné levnou levných',
  da: 'købe køber søger ønsker bestille venligst tak billig billige billigt anbefale',
  de: 'kaufen kaufe suche suchen möchte möchten brauche brauchen bestellen bitte empfehlen billig billige billigen billiger billiges günstig günstige günstigen günstiger günstiges',
  el: 'αγοράσω αγοράζω ψάχνω θέλω χρειάζομαι',
  en: 'don doesn didn isn buy buying purchase purchasing looking searching want wanted please recommend recommendation thanks cheap cheaper cheapest',
  es: 'busco buscar buscamos comprar compro quiero quisiera necesito favor recomendar recomienda recomiendan barato barata baratos baratas',
  fi: 'ostaa ostan etsin etsimme haluan haluaisin tarvitsen kiitos halpa halvat halpoja suositella',
  fr: 'acheter achète cherche chercher cherchons recherche commander veux voudrais svp plaît montrez recommander cher chère chers chères',
  hi: 'खरीदना खरीदें चाहिए',
  hu: 'vennék veszek venni vásárolni vásárolnék keresek keresünk szeretnék kérem olcsó olcsón',
  id: 'beli membeli cari mencari',
  it: 'cerco cercare cerchiamo comprare compro acquistare voglio vorrei favore consigliare consigliate economico economica economici economiche',
  ja: 'え あります ありますか 買 買う 買い 探 探す 探し 欲しい ほしい どこ 用',
  lt: 'pirkti perku ieškau noriu',
  nb: 'kjøpe kjøper søker leter ønsker trenger bestille vennligst takk billig billige anbefale',
  nl: 'kopen zoek zoeken zoekt bestellen nodig alstublieft aub graag goedkoop goedkope goedkoper aanbevelen',
  pl: 'szukam szukać szukamy kupić kupię chcę chcemy potrzebuję proszę macie polecić tani tania tanie tanich',
  pt: 'comprar compro procuro procurar quero queria favor recomendar barato barata baratos baratas',
  ro: 'cumpăr cumpăra caut căutăm vreau doresc rog ieftin ieftină ieftine ieftini',
  ru: 'купить куплю покупаю ищу ищем хочу хотим нужен нужна нужно нужны заказать пожалуйста посоветуйте дешёвый дешевый дешёвая дешевая дешёвые дешевые недорого недорогой недорогая недорогие',
  sv: 'köpa köper söker letar behöver önskar beställa snälla tack billig billiga billigt rekommendera',
  th: 'ซื้อ',
  tr: 'arıyorum arıyoruz almak istiyorum alabilirim nereden lütfen ucuz önerir',
  uk: 'купити куплю шукаю шукаємо хочу хочемо потрібен потрібна потрібно потрібні замовити дешевий дешева дешеві недорого недорогий недорога недорогі',
  zh: '买 购买 買 購買',
};
