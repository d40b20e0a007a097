import { list } from '../../words/shop-words.ts';
import type { StoreWords } from './store-words.ts';

export const czech: StoreWords = {
  locale: 'cs',
  kinds: `
    shoe | f | bota | boty / bot | botami, botách
    boot | f | holínka | holínky / holínek | holínkami
    sandal | m | sandál | sandály / sandálů | sandálech
    slipper | f | pantofle | pantofle / pantoflí
    running shoe < shoe | f | běžecká bota | běžecké boty / běžeckých bot
    child's shoe < shoe | f | dětská bota | dětské boty / dětských bot
    dress | p | šaty | šaty / šatů | šatech
    summer dress < dress | p | letní šaty | letní šaty / letních šatů
    shirt | f | košile | košile / košil | košili, košilí
    t-shirt | n | tričko | trička / triček | tričkem
    blouse | f | halenka | halenky / halenek | halenku
    skirt | f | sukně | sukně / sukní | sukni
    pants | p | kalhoty | kalhoty / kalhot | kalhotách, kalhotami
    jacket | f | bunda | bundy / bund | bundu, bundou
    winter jacket < jacket | f | zimní bunda | zimní bundy / zimních bund | zimní bundu
    coat | m | kabát | kabáty / kabátů | kabátu, kabátem
    raincoat | f | pláštěnka | pláštěnky / pláštěnek | pláštěnku
    sweater | m | svetr | svetry / svetrů | svetru
    sock | f | ponožka | ponožky / ponožek | ponožkami
    hat | m | klobouk | klobouky / klobouků | kloboukem
    glove | f | rukavice | rukavice / rukavic | rukavicích
    scarf | f | šála | šály / šál | šálu
    belt | m | pásek | pásky / pásků | pásku
    bag | f | taška | tašky / tašek | tašku, taškou
    handbag | f | kabelka | kabelky / kabelek | kabelku
    backpack | m | batoh | batohy / batohů | batohem
    suitcase | m | kufr | kufry / kufrů | kufru
    wallet | f | peněženka | peněženky / peněženek | peněženku
    umbrella | m | deštník | deštníky / deštníků | deštníkem
    watch | p | hodinky | hodinky / hodinek | hodinkami
    sunglasses | p | sluneční brýle | sluneční brýle / slunečních brýlí
    chair | f | židle | židle / židlí | židli
    office chair < chair | f | kancelářská židle | kancelářské židle / kancelářských židlí | kancelářskou židli
    table | m | stůl | stoly / stolů | stolu, stolem
    coffee table | m | konferenční stolek | konferenční stolky / konferenčních stolků | konferenčního stolku
    sofa | f | pohovka | pohovky / pohovek | pohovku
    bed | f | postel | postele / postelí | postelemi
    shelf | f | police | police / polic | polici
    bookshelf | f | knihovna | knihovny / knihoven | knihovnu
    wardrobe | f | skříň | skříně / skříní | skříňí
    mirror | n | zrcadlo | zrcadla / zrcadel | zrcadlem
    lamp | f | lampa | lampy / lamp | lampu
    desk lamp < lamp | f | stolní lampa | stolní lampy / stolních lamp | stolní lampu
    mattress | f | matrace | matrace / matrací | matraci
    pillow | m | polštář | polštáře / polštářů | polštářem
    blanket | f | deka | deky / dek | deku
    towel | m | ručník | ručníky / ručníků | ručníkem
    curtain | m | závěs | závěsy / závěsů | závěsem
    carpet | m | koberec | koberce / koberců | kobercem
    vase | f | váza | vázy / váz | vázu
    candle | f | svíčka | svíčky / svíček | svíčku
    knife | m | nůž | nože / nožů | nožem
    bread knife < knife | m | nůž na chléb | nože na chléb / nožů na chléb
    spoon | f | lžíce | lžíce / lžic | lžíci
    fork | f | vidlička | vidličky / vidliček | vidličku
    plate | m | talíř | talíře / talířů | talířem
    mug | m | hrnek | hrnky / hrnků | hrnkem, hrnku
    glass | f | sklenice | sklenice / sklenic | sklenici
    wine glass < glass | f | sklenice na víno | sklenice na víno / sklenic na víno
    pot | m | hrnec | hrnce / hrnců | hrncem
    pan | f | pánev | pánve / pánví | pánvi
    kettle | f | rychlovarná konvice | rychlovarné konvice / rychlovarných konvic | rychlovarnou konvici
    bowl | f | mísa | mísy / mís | mísu
    bottle | f | láhev | láhve / láhví | lahev, lahve
    coffee machine | m | kávovar | kávovary / kávovarů | kávovaru
    toaster | m | topinkovač | topinkovače / topinkovačů
    phone | m | telefon | telefony / telefonů | telefonu
    headphones | n | sluchátko | sluchátka / sluchátek | sluchátky
    charger | f | nabíječka | nabíječky / nabíječek | nabíječku
    cable | m | kabel | kabely / kabelů | kabelem
    keyboard | f | klávesnice | klávesnice / klávesnic | klávesnici
    ball | m | míč | míče / míčů | míčem
    doll | f | panenka | panenky / panenek | panenku
    bicycle | n | kolo | kola / kol | kolem
    helmet | f | helma | helmy / helem | helmu
    tent | m | stan | stany / stanů | stanem
    sleeping bag | m | spací pytel | spací pytle / spacích pytlů
    hammer | n | kladivo | kladiva / kladiv | kladivem
    drill | f | vrtačka | vrtačky / vrtaček | vrtačku
    saw | f | pila | pily / pil | pilu
    ladder | m | žebřík | žebříky / žebříků | žebříkem
    bucket | m | kbelík | kbelíky / kbelíků | kbelíkem
    watering can | f | konev | konve / konví | konvi
    shovel | f | lopata | lopaty / lopat | lopatu
    toothbrush | m | zubní kartáček | zubní kartáčky / zubních kartáčků`,
  colours: `
    red | červená | červený/červená/červené | červené/červené/červená | červenou, červeného, červených
    blue | modrá | modrý/modrá/modré | modré/modré/modrá | modrou, modrého, modrých
    black | černá | černý/černá/černé | černé/černé/černá | černou, černého, černých
    white | bílá | bílý/bílá/bílé | bílé/bílé/bílá | bílou, bílého
    green | zelená | zelený/zelená/zelené | zelené/zelené/zelená | zelenou, zeleného
    yellow | žlutá | žlutý/žlutá/žluté | žluté/žluté/žlutá | žlutou, žlutého
    grey | šedá | šedý/šedá/šedé | šedé/šedé/šedá | šedou, šedého
    brown | hnědá | hnědý/hnědá/hnědé | hnědé/hnědé/hnědá | hnědou, hnědého`,
  coloured: '{adjective} {kind}',
  materials: list('z_kůže z_dubu z_bavlny z_vlny z_nerezové_oceli z_plastu ze_lnu z_bambusu'),
  departments: list(
    'Obuv Oblečení Zavazadla_a_doplňky Bydlení_a_nábytek Bytový_textil Kuchyně Elektronika Hračky_a_sport Nářadí_a_zahrada',
  ),
  names: [
    '{adjective} {kind} {model}',
    '{kind} {model} {adjective}',
    '{brand} {kind} {model} {material}',
    '{kind} {model}, barva {colour}',
  ],
  goesWith: [
    'Hodí se k našim produktům {one} a {other}.',
    'Podívejte se na naši nabídku {one.genitive} a {other.genitive}.',
    'Často se kupuje společně: {one} nebo {other}.',
  ],
  fillers: [
    'Pečlivě vyrobeno v malé sérii.',
    'Naši zákazníci tento model milují už léta.',
    'Dárek, který potěší každého.',
    'Dodání do tří pracovních dnů.',
    'Jednoduchý tvar na každý den.',
    'Od rodinné firmy ve třetí generaci.',
  ],
  features: `
    Povrch je odolný proti poškrábání. | odolné poškrábání
    Tkanina je prodyšná. | prodyšné tkaniny
    Certifikováno nezávislou laboratoří. | nezávislá laboratoř
    Navrženo dánským architektem. | dánský architekt
    Obal je kompostovatelný. | kompostovatelné obaly
    S pětiletou zárukou. | pětiletá záruka
    Vhodné pro alergiky. | alergik
    Ručně šité v Portugalsku. | ručně šitý portugalsko
    Dá se snadno složit naplocho. | skládání naplocho
    Montáž bez šroubů. | montáž bez šroubu
    Po dešti rychle schne. | rychle schnoucí déšť
    Šetrné k pokožce a bez zápachu. | zápach pokožka`,
  withSmallWords: [
    '{adjective} {kind} na zahradu',
    '{kinds} v barvě {colour}',
    'ty {adjectives} {kinds} s',
    'několik {genitive} pro domov',
  ],
  withRequests: [
    'hledám {adjectives} {kinds} pro mou dceru',
    'kde koupit levné {kinds} barva {colour}',
    'máte {adjectives} {kinds} do práce',
  ],
  unknown: list('astronaut vodopád parlament qwerty'),
  sentences: `
    boty pro mého syna velikost 36 | shoe | | 36
    červených šatů na svatbu | dress | red
    černé holínky velikost 38 | boot | black | 38
    ostré nože do kuchyně | knife
    matraci 90 x 200 | mattress | | 90x200
    modrou bundu velikost L | jacket | blue | L
    s černým batohem | backpack | black
    dětské kolo | bicycle
    bílého stolu | table | white
    v zelené tašce | bag | green`,
};
