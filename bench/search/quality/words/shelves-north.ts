import type { Shelf } from './shelf.ts';

/** Spare parts, groceries, furniture and books, in the north of Europe. */
export const northernShelves: readonly Shelf[] = [
  {
    locale: 'da',
    products: `
      e1 | Batteri til Nokia 3310 | Nokia | BL-5C | Original vare fra fabrikken
      e2 | Opladerkabel USB-C 2 m | Anker | A8182-H11 | Flettet kabel til hurtig opladning
      e3 | Filter til støvsuger | Nilfisk | 128-0027 | Holder på pollen og støv
      e4 | Drænpumpe til opvaskemaskine | Bosch | 00.651.956 | Udskiftes uden værktøj
      g1 | Økologisk havregryn 1 kg | Grøn Balance | 5701410 | Fuldkorn fra danske marker
      g2 | Sødmælk 3,5 % 1 l | Thise | 5711953 | Fra græssende køer
      g3 | Rugbrød med kerner 500 g | Schulstad | 5710326 | Bagt på surdej
      g4 | Jordbærmarmelade 400 g | Den Gamle Fabrik | 5701073 | Med hele bær
      f1 | Spisebordsstol i egetræ | Hay | ST-4410 | Med polstret sæde
      f2 | Sofabord med glasplade | Muuto | SB-2201 | Hærdet sikkerhedsglas
      f3 | Bogreol i fyrretræ | Bolia | RE-1180 | Fem hylder
      f4 | Skrivebordslampe med klemme | Frandsen | LA-0075 | Dæmpbar
      b1 | Frøken Smillas fornemmelse for sne | Peter Høeg | 9788763838 | Kriminalroman
      b2 | Den afrikanske farm | Karen Blixen | 9788702109 | Erindringer`,
    questions: `
      head noun | stol | f1
      head noun | bord | f2
      other form | stole | f1
      other form | lamperne | f4
      other form | støvsugere filtre | e3
      compounds | skrivebord lampe | f4
      code | bl5c | e1
      code | 1280027 | e3
      units | havregryn 1kg | g1
      units | sødmælk 1 liter | g2
      author | peter hoeg | b1
      author | blixen | b2
      one edit | havergryn | g1
      other form with a typo | bogreolr | f3
      beginning | opvaskem | e4
      beginning | jordbærm | g4
      one wrong word | rugbrød kerner zzyqx | g3
      stop words | stol af egetræ | f1
      without accents | stovsuger | e3
      guard | surdej | g3
      guard | kriminalroman | b1`,
    goesWith: (one, other) => `Passer godt sammen med ${one} og ${other}.`,
  },
  {
    locale: 'nb',
    products: `
      e1 | Tannhjul til kjøkkenmaskin | Kenwood | KW-715/2 | I herdet stål
      e2 | Skjermbeskytter til Galaxy S21 | Panzer | PG-7256 | Herdet glass uten bobler
      e3 | Varmeelement til vaskemaskin | Electrolux | 132.1253 | Effekt 1950 watt
      g1 | Brunost skivet 500 g | Tine | 7038010 | Med smak av karamell
      g2 | Havregryn lettkokte 750 g | Axa | 7025110 | Grøt på tre minutter
      g3 | Fiskekaker 900 g | Lofoten | 7032069 | Stekt i smør
      g4 | Eplejuice 1,5 l | Lerum | 7039610 | Presset på norske epler
      f1 | Kjøkkenbenk med skuffer | Sigdal | KB-300 | Demping i skuffene
      f2 | Barneseng i bjørk | Stokke | SG-140 | Kan forlenges
      f3 | Hagestol sammenleggbar | Fagerland | HS-077 | Tåler regn
      b1 | Sult | Knut Hamsun | 9788205 | Roman fra Kristiania
      b2 | Snømannen | Jo Nesbø | 9788203 | Spenning om Harry Hole`,
    questions: `
      head noun | seng | f2
      head noun | benk | f1
      other form | stoler | f3
      other form | fiskekake | g3
      other form | barnesenger | f2
      compounds | hage stol | f3
      compounds | kjøkken maskin tannhjul | e1
      code | kw7152 | e1
      code | 1321253 | e3
      units | brunost 500g | g1
      units | juice 1.5l | g4
      author | jo nesbo | b2
      author | knut hamsun sult | b1
      one edit | skjermbeskyter | e2
      swapped letters | havergyrn | g2
      other form with a typo | hagestolner | f3
      beginning | vaskem | e3
      stop words | seng av bjørk | f2
      one wrong word | barneseng kwrrt | f2
      guard | karamell | g1`,
    goesWith: (one, other) => `Kjøpes ofte sammen med ${one} eller ${other}.`,
  },
  {
    locale: 'fi',
    products: `
      e1 | Pölynimurin suodatin | Miele | SF-H50 | Pestävä malli
      e2 | Kännykän akku | Samsung | EB-BG973 | Kapasiteetti 3400 mAh
      e3 | Jääkaapin hylly | Rosenlew | 2247-064 | Karkaistua lasia
      g1 | Ruisleipä 400 g | Fazer | 6411401 | Leivottu hapanjuurella
      g2 | Kaurahiutale 1 kg | Elovena | 6411200 | Täysjyvää
      g3 | Mustikkahillo 450 g | Meritalo | 6418800 | Metsämarjoista
      g4 | Maitojuoma laktoositon 1 l | Valio | 6408430 | Vatsaystävällinen
      f1 | Kirjahylly koivua | Lundia | KH-21 | Säädettävät korkeudet
      f2 | Ruokapöytä tammea | Isku | RP-180 | Jatkettava
      f3 | Keinutuoli männystä | Artek | KT-9 | Käsintehty
      b1 | Tuntematon sotilas | Väinö Linna | 9789510 | Sotaromaani
      b2 | Muumipappa ja meri | Tove Jansson | 9789513 | Lapsille`,
    questions: `
      head noun | pöytä | f2
      head noun | tuoli | f3
      other form | tuolit | f3
      other form | kirjahyllyt | f1
      other form | kaurahiutaleet | g2
      other form | akut | e2
      other form | suodattimet | e1
      compounds | ruoka pöytä | f2
      code | sfh50 | e1
      units | ruisleipä 400g | g1
      author | vaino linna | b1
      author | jansson | b2
      one edit | mustikahillo | g3
      other form with a typo | kirjahylyt | f1
      beginning | keinut | f3
      one wrong word | ruokapöytä tammea vvlumq | f2
      without accents | jaakaapin hylly | e3
      guard | metsämarjoista | g3`,
    goesWith: (one, other) => `Sopii yhteen: ${one} ja ${other}.`,
  },
  {
    locale: 'hu',
    products: `
      e1 | Porszívó porzsák 5 db | Philips | FC-8021/03 | Antiallergén
      e2 | Mosógép szivattyú | Indesit | C00.283.277 | Gyári alkatrész
      e3 | Telefon töltő kábel 1 m | Baseus | CATLF-01 | Gyorstöltés
      g1 | Füstölt kolbász 250 g | Pick | 5998200 | Csípős paprikával
      g2 | Barackos lekvár 300 g | Házi Kert | 5997100 | Cukor nélkül
      g3 | Tejföl 20 % 330 g | Mizo | 5998800 | Friss tejből
      g4 | Búzaliszt 1 kg | Nagyi | 5996000 | Süteményhez
      f1 | Könyvespolc tölgyfából | Kanizsa | KP-40 | Falra szerelhető
      f2 | Étkezőasztal nyitható | Balaton | EA-160 | Hat személynek
      f3 | Íróasztal fiókkal | Kanizsa | IA-12 | Zárható fiók
      b1 | A gyertyák csonkig égnek | Márai Sándor | 9789633 | Regény a barátságról
      b2 | Egri csillagok | Gárdonyi Géza | 9789631 | Kötelező olvasmány`,
    questions: `
      head noun | asztal | f2 f3
      head noun | polc | f1
      other form | kolbászok | g1
      other form | könyvespolcok | f1
      other form | asztalok | f2 f3
      other form | szivattyúk | e2
      compounds | író asztal | f3
      code | fc802103 | e1
      code | c00283277 | e2
      units | liszt 1kg | g4
      author | marai sandor | b1
      author | gárdonyi | b2
      one edit | porszivo porzsak | e1
      swapped letters | tefjöl | g3
      other form with a typo | kolbázok | g1
      beginning | étkezőasz | f2
      one wrong word | füstölt kolbász zzyqx | g1
      stop words | az egri csillagok | b2
      guard | süteményhez | g4`,
    goesWith: (one, other) => `Gyakran együtt veszik: ${one} és ${other}.`,
  },
  {
    locale: 'lt',
    products: `
      e1 | Dulkių siurblio filtras | Zelmer | ZVC-752 | Plaunamas
      e2 | Telefono įkroviklis 20 W | Belkin | WCA-003 | Greitas krovimas
      g1 | Juoda duona 800 g | Vilniaus duona | 4770100 | Su kmynais
      g2 | Avižiniai dribsniai 500 g | Skalsa | 4770200 | Pusryčiams
      g3 | Braškių uogienė 380 g | Kėdainių | 4770300 | Be konservantų
      f1 | Ąžuolinis stalas | Vilniaus baldai | ST-77 | Lakuotas paviršius
      f2 | Knygų lentyna | Narbutas | LE-15 | Penkios dalys
      f3 | Kėdė su ranktūriais | Venta | KD-31 | Paminkštinta
      b1 | Altorių šešėly | Vincas Mykolaitis-Putinas | 9785415 | Romanas
      b2 | Metai | Kristijonas Donelaitis | 9785420 | Poema`,
    questions: `
      head noun | stalas | f1
      other form | stalai | f1
      other form | lentynos | f2
      other form | kėdės | f3
      other form | filtrai | e1
      other form | duonos | g1
      code | zvc752 | e1
      units | įkroviklis 20w | e2
      author | mykolaitis putinas | b1
      author | donelaicio metai | b2
      without accents | azuolinis stalas | f1
      one edit | dribsnai | g2
      other form with a typo | lentnos | f2
      beginning | įkrov | e2
      one wrong word | braškių uogienė kwrrt | g3
      guard | kmynais | g1`,
    goesWith: (one, other) => `Dažnai perkama kartu: ${one}, ${other}.`,
  },
  {
    locale: 'de',
    products: `
      e1 | Akku für Bosch Akkuschrauber 18 V | Bosch | GBA 18V-4.0 | Kein Memoryeffekt
      e2 | Ersatzbürstenkopf 4 Stück | Oral-B | EB-50RB | Rundkopf
      e3 | Heizungsthermostat M30x1,5 | Danfoss | 013G-2994 | Ventileinsatz
      g1 | Bio-Dinkelvollkornmehl 1 kg | Rapunzel | 4006040 | Fein gemahlen
      g2 | Rote-Linsen-Nudeln 250 g | Barilla | 8076809 | Glutenfrei
      g3 | Sauerkirschkonfitüre 340 g | Zentis | 4002575 | Extra fruchtig
      f1 | Esszimmerstuhl mit Armlehnen | Musterring | ES-2201 | Bezug abnehmbar
      f2 | Couchtisch aus Nussbaum | Hülsta | CT-110 | Massivholz
      f3 | Kleiderschrank dreitürig | Rauch | KS-303 | Schwebetüren
      f4 | Bücherregal weiß | Tvilum | BR-88 | Rückwand inklusive
      b1 | Die Blechtrommel | Günter Grass | 9783423 | Danziger Trilogie
      b2 | Der Process | Franz Kafka | 9783150 | Fragment`,
    questions: `
      head noun | stuhl | f1
      head noun | mehl | g1
      head noun | schrank | f3
      other form | stühle | f1
      other form | schränke | f3
      other form | regale | f4
      other form | bürstenköpfe | e2
      compounds | esszimmer stuhl | f1
      compounds | bücher regal | f4
      compounds | dinkel mehl | g1
      code | 013g2994 | e3
      code | gba18v | e1
      units | akku 18v | e1
      units | konfitüre 340g | g3
      author | gunter grass | b1
      author | guenter grass blechtrommel | b1
      one edit | nusbaum couchtisch | f2
      other form with a typo | bücheregale | f4
      other form with a typo | kleiderschänke | f3
      beginning | heizungsth | e3
      guard | schwebetüren | f3`,
    goesWith: (one, other) => `Passt zu ${one} und ${other}.`,
  },
];
