import type { FormsOfLanguage } from './forms.ts';

/** German, Dutch and English. */
export const westGermanic: Readonly<Record<string, FormsOfLanguage>> = {
  de: {
    same: `Gabel Gabeln|Löffel Löffeln|Mantel Mäntel Mänteln|Schüssel Schüsseln|Schaufel Schaufeln|Nadel Nadeln|Zwiebel Zwiebeln
      |Kartoffel Kartoffeln|Stiefel Stiefeln|Gürtel Gürteln|Kabel Kabeln Kabels|Deckel Deckeln|Nagel Nägel Nägeln|Schlüssel Schlüsseln
      |Pinsel Pinseln|Kugel Kugeln|Muschel Muscheln|Klingel Klingeln|Sessel Sesseln|Möbel Möbeln|Spiegel Spiegeln|Sattel Sättel Sätteln
      |Beutel Beuteln|Ärmel Ärmeln|Windel Windeln|Tafel Tafeln|Waffel Waffeln|Nudel Nudeln|Insel Inseln|Handy Handys|Baby Babys|Pony Ponys
      |Hobby Hobbys|Party Partys|Sofa Sofas|Auto Autos|Kamera Kameras|Foto Fotos|Radio Radios|Video Videos|Büro Büros|Piano Pianos
      |Avocado Avocados|Kimono Kimonos|Poncho Ponchos|Sakko Sakkos|Bikini Bikinis|Kiwi Kiwis|Pyjama Pyjamas|Akku Akkus|Iglu Iglus|Cello Cellos
      |Kilo Kilos|Silo Silos|Studio Studios|Zoo Zoos|Tattoo Tattoos|Teddy Teddys|Gummi Gummis|Mango Mangos|Paprika Paprikas|Kombi Kombis
      |Pullover Pullovern|Koffer Koffern|Teller Tellern|Drucker Druckern|Messer Messern|Hut Hüte Hüten|Topf Töpfe Töpfen|Uhr Uhren|Hose Hosen
      |Jacke Jacken|Hemd Hemden Hemdes|Kleid Kleider Kleidern|Tasche Taschen|Lampe Lampen|Stuhl Stühle Stühlen|Tisch Tische Tischen
      |Regal Regale Regalen|Vorhang Vorhänge|Kissen Kissens|Decke Decken|Bett Betten|Bild Bilder Bildern|Korb Körbe Körben|Zelt Zelte Zelten
      |Rad Räder Rädern|Ball Bälle Bällen|Puppe Puppen|Glas Gläser Glases|Gras Gräser|Haus Häuser Hauses|Maus Mäuse|Ofen Öfen|Faden Fäden
      |rot rote roter rotes roten rotem|blau blaue blauer blaues|grün grüne grünes|schwarz schwarze schwarzes|weiß weiße weißes
      |dunkel dunkle dunkles dunklen|edel edle edles|teuer teure teures|sauer saure saures|sauber saubere sauberes|flexibel flexible flexibles
      |hoch hohe hohes höher|groß große größer|kabellos kabellose kabelloses|nervös nervöse|luxuriös luxuriöse|Museum Museen|Konto Konten
      |Album Alben|Kaktus Kakteen|Globus Globen|Bus Busse|Atlas Atlanten|Praxis Praxen|Zentrum Zentren|Zeugnis Zeugnisse|Aquarium Aquarien
      |Keks Kekse Keksen|Lachs Lachse|Krebs Krebse Krebsen|Kurs Kurse Kursen|Fuchs Füchse|Hals Hälse|Vers Verse|Puls Pulse|Zins Zinsen|Fels Felsen`,
    apart: `Bett Beet|Hose Hase|Kanne Kante|Kerze Kerne|Mantel Mandel|Messer Messing|Nadel Nagel|Löffel Löwe|Kabel Kabine|Tafel Tasse|Gabel Garbe
      |Glas Glatze|Gas Gasse|Reis Reise|Eis Eimer|Bus Bussard|Kasse Kasten|Tasse Tasche|Tisch Tischler|Stuhl Stufe|Uhr Urne|Schal Schale|Buch Buche|Bücher Buchen|Kohl Kohlen|Rind Rinde|Rinder Rinden|Deck Decke|Schuh Schule|Zeug Zeugnis
      |Hut Hütte|Hemd Hemmer|Rock Rohr|Kleid Kleister|Ring Rinne|Ball Ballon|Rad Radio|Radio Radar|Auto Autor|Foto Form|Kilo Kino|Pony Ponton
      |Wand Wanne|Wanne Wange|Lampe Lampion|Regal Regen|Kissen Kiste|Decke Deckel|Bild Bildung|Zelt Zelle|Puppe Pumpe|Maus Mauer|Haus Haut
      |Band Bandage|Bank Banane|Birne Birke|Fisch Filter|Kamm Kamera|Kamin Kamille|Kran Kranz|Korb Kork|Krone Kronleuchter|Leder Leiter|Mais Mai
      |Matte Matratze|Most Motor|Nuss Nudel|Ofen Offset|Pfanne Pfand|Pinsel Pinie|Salz Salat|Sand Sandale|Seil Seife|Spiegel Spiel|Stock Stoff
      |Tür Turm|Kurs Kur|Hals Halle|Vers Vera|Vase Vater|Wolle Wolke|Zange Zahn|rot roh|blau blond|grau grob|groß grob|Mango Mangan|Gummi Gurke|Pizza Pistole|Sofa Sofort`,
  },
  nl: {
    same: `machine machines|blouse blouses|horloge horloges|garage garages|cadeau cadeaus|bureau bureaus|plateau plateaus|portemonnee portemonnees
      |dame dames|etui etuis|brochure brochures|cassette cassettes|etiket etiketten|café cafés|douche douches|broche broches|collectie collecties
      |functie functies|cookie cookies|serie series|accessoire accessoires|praline pralines|baguette baguettes|service services|capsule capsules
      |tube tubes|cake cakes|crème crèmes|code codes|vitrine vitrines|route routes|lamp lampje lampjes lampen|kop kopje kopjes koppen
      |glas glaasje glazen|tafel tafeltje tafels|stoel stoeltje stoelen|tas tasje tassen|jurk jurkje jurken|rok rokje rokken|boom boompje bomen
      |ring ringetje ringen|ketting kettinkje kettingen|bloem bloemetje bloemen|vaas vaasje vazen|pan pannetje pannen|bal balletje ballen
      |ster sterretje sterren|boek boekje boeken|schoen schoentje schoenen|deur deurtje deuren|lepel lepeltje lepels|beker bekertje bekers
      |kussen kussentje kussens|deken dekentje dekens|tent tentje tenten|kaart kaartje kaarten|taart taartje taarten|plant plantje planten
      |boot bootje boten|hoed hoedje hoeden|raam raampje ramen|riem riempje riemen|film filmpje films|gordijn gordijntje gordijnen|auto autootje
      |vrouw vrouwtje vrouwen|leeuw leeuwtje leeuwen|ei eitje eieren|trui truitje truien|pet petje petten|tablet tabletje tabletten|bed bedje bedden
      |mes mesje messen|fles flesje flessen|les lessen|adres adressen|aardbei aardbeien|bes bessen|prinses prinsessen|proces processen|mat matje matten
      |pot potje potten|doos doosje dozen|hond hondje honden|poort poortje|concert concertje|bordje bord borden|hart hartje harten|fluit fluitje fluiten
      |touw touwtje|knie knieën|idee ideeën|zee zeeën|kopie kopieën|batterij batterijen|schilderij schilderijtje|kind kinderen|blad bladeren blaadje
      |schip schepen scheepje|lid leden|koe koeien koetje|vlo vlooien|museum musea|huis huisje huizen|duif duiven|kaas kazen|brief brieven briefje
      |groot grote|lief lieve|grijs grijze|wit witte|dik dikke|geel gele|hoog hoge|rood rode|zwart zwarte|blauw blauwe|laars laarzen laarsje
      |koffer koffertje koffers|paraplu parapluutje|sok sokje sokken|muts mutsje mutsen|broek broekje broeken|kast kastje kasten|bank bankje banken
      |pop poppetje poppen|Chinees Chinese|vrij vrije|zone zones|type types`,
    apart: `kop koper|kop kompas|kop koord|tent tennis|tas taart|taart tarwe|mes mens|mes meisje|les lepel|lamp lam|lam lampje|rok rolluik|bal balie
      |bank bang|kaart kaars|kaars kaas|plant plank|plank plaat|pan pand|pan papier|pot poort|broek broer|broek brood|doos doek|bord borstel
      |boek boeket|hoed hoek|hoek hoes|deur deuk|stoel stoep|stof stofzuiger|tafel taal|bloem bloed|bloem bloes|ring rinkel|riem rij|raam raap
      |film filter|fles flits|glas glad|gordijn gordel|kussen kust|kist kin|deken dekbed|sok soep|muts muur|jas jaar|trui trommel|pet peper
      |bed bedrijf|mat mast|mat materiaal|vis vinger|vlees vleugel|touw toets|tang tank|zaag zaad|zak zalf|zeep zeef|zout zool|kam kamer|kamer kameel
      |kast kastanje|koffer koffie|laars laag|lint linnen|machine machtig|menu mens|nagel naam|oven over|peer peper|rugzak rug|schaar schaal
      |schoen schoon|sleutel sleep|spiegel spijker|spel speld|steen stekker|wol wolk|ei eik|code cola|route rooster|dame damast|cake cactus|tube tuba
      |oranje orgel|spanje spaan`,
  },
  en: {
    same: `knife knives|loaf loaves|shelf shelves|leaf leaves|wolf wolves|mouse mice|foot feet|tooth teeth|child children|woman women|man men|baby babies
      |berry berries|dish dishes|box boxes|brush brushes|watch watches|glass glasses|bike bikes|scissors scissor|shoe shoes|dress dresses|bus buses
      |gas gases|lens lenses|wool woolen woollen|wood wooden|gold golden|cactus cacti|matrix matrices|radius radii|dry dries drying|quick quickly
      |potato potatoes|tomato tomatoes|scarf scarves|candy candies|key keys|toy toys|fish fishing|cook cooking|tyre tyres|goose geese|swim swimming
      |sew sewing|knit knitted knitting|run running|wax waxed|battery batteries|city cities|lamp lamps|chair chairs|table tables|bottle bottles
      |pot pots|pan pans|cup cups|spoon spoons|fork forks|towel towels|curtain curtains|pillow pillows|blanket blankets|carpet carpets|bed beds
      |sofa sofas|desk desks|bag bags|backpack backpacks|wallet wallets|belt belts|hat hats|glove gloves|sock socks|boot boots|sandal sandals
      |shirt shirts|jacket jackets|coat coats|sweater sweaters|skirt skirts|jean jeans|ring rings|necklace necklaces|earring earrings|vase vases
      |candle candles|mirror mirrors|clock clocks|camera cameras|phone phones|charger chargers|cable cables|cherry cherries|peach peaches|bench benches
      |bunny bunnies|pony ponies|hoof hooves|calf calves|spy spies|fry fries fried|dye dyes dyed|bay bays|fly flies`,
    apart: `bus busy|bus business|gas gasket|lens lend|lens lent|wood woof|wool wolf|gold golf|dry drill|fry frame|pan panel|pan pants|pot potato
      |cup cupboard|car card|car cart|car carpet|bag bagel|bed bedside|belt bell|bell belly|boot booth|bow bowl|box boxer|bra brake|bra bracelet
      |brush brunch|candle candy|cap cape|cape caper|chair chain|chain change|clock cloth|coat coaster|comb combat|cook cookie|cot cotton|cream crease
      |curtain curl|desk desert|desert dessert|dish disc|door doll|dress dresser|ear earth|fan fancy|fish fist|flag flask|fork form|glass glue
      |glove globe|hat hatch|heat heater|jack jacket|jar jam|key keyboard|lamp lamb|leaf leather|lock locket|mat mattress|mat match|men menu
      |mirror micro|nail nape|net nest|oven over|paint pain|pants panther|pen pencil|pencil pendant|pin pine|plane planet|plate plant|plug plum
      |ring rinse|rug ruler|saddle salad|sand sandal|saw saucer|scarf scale|shoe shovel|shirt short|skirt ski|ski sky|soap soup|sock socket|spoon sponge|tie tile|wallet wall`,
  },
};
