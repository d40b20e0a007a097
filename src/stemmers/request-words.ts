/**
 * Words with which people ask a shop for something, by language: they buy, look for, want and need it. They say nothing about what
 * it is. None of them is also a thing that a shop may have, as the look, the order and the Spanish `compra` are, nor the beginning of
 * many: with Swedish `köp` one is about to type *kopp*.
 */
export const requestWords: Readonly<Record<string, string>> = {
  ar: 'أبحث أشتري شراء أريد لديكم عندكم',
  cs: 'hledám hledat hledáme koupit koupím kupuji chci chceme potřebuji',
  da: 'købe køber søger ønsker bestille',
  de: 'kaufen kaufe suche suchen möchte möchten brauche brauchen bestellen',
  el: 'αγοράσω αγοράζω ψάχνω θέλω χρειάζομαι',
  en: 'buy buying purchase purchasing looking searching want wanted',
  es: 'busco buscar buscamos comprar compro quiero quisiera necesito',
  fi: 'ostaa ostan etsin etsimme haluan haluaisin tarvitsen',
  fr: 'acheter achète cherche chercher cherchons recherche commander veux voudrais',
  hi: 'खरीदना खरीदें चाहिए',
  hu: 'vennék veszek venni vásárolni vásárolnék keresek keresünk szeretnék',
  id: 'beli membeli cari mencari',
  it: 'cerco cercare cerchiamo comprare compro acquistare voglio vorrei',
  ja: 'え あります ありますか 買 買う 買い 探 探す 探し 欲しい ほしい どこ 用',
  lt: 'pirkti perku ieškau noriu',
  nb: 'kjøpe kjøper søker leter ønsker trenger bestille',
  nl: 'kopen zoek zoeken zoekt bestellen nodig',
  pl: 'szukam szukać szukamy kupić kupię chcę chcemy potrzebuję',
  pt: 'comprar compro procuro procurar quero queria',
  ro: 'cumpăr cumpăra caut căutăm vreau doresc',
  ru: 'купить куплю покупаю ищу ищем хочу хотим нужен нужна нужно нужны заказать',
  sv: 'köpa köper söker letar behöver önskar beställa',
  th: 'ซื้อ',
  tr: 'arıyorum arıyoruz almak istiyorum alabilirim nereden',
  uk: 'купити куплю шукаю шукаємо хочу хочемо потрібен потрібна потрібно потрібні замовити',
  zh: '买 购买 買 購買',
};
