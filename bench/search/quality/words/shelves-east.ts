import type { Shelf } from './shelf.ts';

/** Spare parts, groceries, furniture and books, in the east and south of Europe. */
export const easternShelves: readonly Shelf[] = [
  {
    locale: 'ro',
    products: `
      e1 | Filtru aspirator | Rowenta | ZR-0054/01 | Lavabil
      e2 | Acumulator laptop 4400 mAh | Dell | J1KND-6C | Garanție doi ani
      e3 | Curea mașină de spălat | Arctic | 1194-H7 | Elastică
      g1 | Brânză telemea 350 g | Hochland | 5941000 | Din lapte de oaie
      g2 | Dulceață de căpșuni 360 g | Râureni | 5942000 | Fără zahăr
      g3 | Făină albă 1 kg | Băneasa | 5943000 | Pentru cozonac
      f1 | Scaun de birou | Kring | SC-20 | Înălțime reglabilă
      f2 | Masă extensibilă | Mobexpert | MA-80 | Blat rezistent
      f3 | Dulap cu oglindă | Bedora | DU-51 | Trei uși
      b1 | Pădurea spânzuraților | Liviu Rebreanu | 9789731 | Roman de război
      b2 | Maitreyi | Mircea Eliade | 9789732 | Jurnal indian`,
    questions: `
      other form | scaune | f1
      other form | mese | f2
      other form | dulapuri | f3
      other form | filtre | e1
      other form | acumulatori | e2
      code | zr005401 | e1
      units | faina 1kg | g3
      without accents | branza | g1
      without accents | masina de spalat curea | e3
      author | eliade maitreyi | b2
      author | rebreanu padurea | b1
      one edit | aspirtor | e1
      other form with a typo | dulapri | f3
      beginning | extens | f2
      stop words | scaunul pentru birou | f1
      one wrong word | dulceață căpșuni zzyqx | g2
      guard | cozonac | g3`,
    goesWith: (one, other) => `Se potrivește cu ${one} și ${other}.`,
  },
  {
    locale: 'el',
    products: `
      e1 | Φίλτρο σκούπας | Miele | HE-50/2 | Πλένεται εύκολα
      e2 | Μπαταρία κινητού 3000 mAh | Xiaomi | BN-46 | Γνήσιο ανταλλακτικό
      e3 | Καλώδιο φόρτισης 2 m | Ugreen | US-184 | Ενισχυμένο
      g1 | Ελαιόλαδο εξαιρετικό παρθένο 5 l | Άλτις | 5201000 | Από την Κρήτη
      g2 | Γιαούρτι στραγγιστό 1 kg | Φάγε | 5202000 | Πλήρες
      g3 | Μέλι θυμαρίσιο 450 g | Αττική | 5203000 | Ελληνικό προϊόν
      f1 | Καρέκλα τραπεζαρίας | Νέος Κόσμος | KR-7 | Ξύλινα πόδια
      f2 | Τραπέζι σαλονιού | Δρομέας | TR-90 | Γυάλινη επιφάνεια
      f3 | Βιβλιοθήκη λευκή | Sato | VI-11 | Πέντε ράφια
      b1 | Βίος και πολιτεία του Αλέξη Ζορμπά | Νίκος Καζαντζάκης | 9789600 | Μυθιστόρημα
      b2 | Το άξιον εστί | Οδυσσέας Ελύτης | 9789601 | Ποίηση`,
    questions: `
      head noun | καρέκλα | f1
      other form | καρέκλες | f1
      other form | τραπέζια | f2
      other form | μπαταρίες | e2
      other form | φίλτρα | e1
      other form | καλώδια | e3
      without accents | ελαιολαδο | g1
      without accents | ΚΑΖΑΝΤΖΑΚΗΣ | b1
      author | ελυτη | b2
      code | he502 | e1
      units | ελαιόλαδο 5l | g1
      one edit | γιαορτι | g2
      other form with a typo | καέκλες | f1
      beginning | βιβλιοθ | f3
      one wrong word | μέλι θυμαρίσιο kwrrt | g3
      guard | μυθιστόρημα | b1`,
    goesWith: (one, other) => `Ταιριάζει με ${one} και ${other}.`,
  },
  {
    locale: 'uk',
    products: `
      e1 | Мішок для пилососа | Bosch | BBZ-41FP | П'ять штук
      e2 | Акумулятор для телефону | Samsung | EB-BA505 | Оригінал
      e3 | Ремінь пральної машини | Gorenje | 1270-J4 | Гумовий
      g1 | Гречана крупа 800 г | Хуторок | 4820000 | Швидко вариться
      g2 | Соняшникова олія 1 л | Олейна | 4821000 | Рафінована
      g3 | Варення з вишні 350 г | Верес | 4822000 | Без кісточок
      f1 | Стілець кухонний | Меблі Сервіс | ST-12 | М'яке сидіння
      f2 | Письмовий стіл | Пехотін | SK-30 | З полицями
      f3 | Шафа для одягу | Комфорт | SH-21 | Дзеркальні двері
      b1 | Тіні забутих предків | Михайло Коцюбинський | 9786170 | Повість
      b2 | Лісова пісня | Леся Українка | 9786171 | Драма`,
    questions: `
      head noun | стілець | f1
      head noun | стіл | f2
      other form | стільці | f1
      other form | столи | f2
      other form | шафи | f3
      other form | мішки | e1
      other form | акумулятори | e2
      author | коцюбинського | b1
      author | леся українка | b2
      code | bbz41fp | e1
      units | олія 1л | g2
      units | крупа 800 г | g1
      one edit | акумультор | e2
      other form with a typo | акумулторів | e2
      beginning | соняшн | g2
      stop words | шафа для одягу | f3
      one wrong word | варення вишні vvlumq | g3
      guard | рафінована | g2`,
    goesWith: (one, other) => `Часто купують разом: ${one} та ${other}.`,
  },
  {
    locale: 'pl',
    products: `
      e1 | Worki do odkurzacza 4 szt. | Zelmer | 49-4220 | Syntetyczne
      e2 | Bateria do telefonu | Motorola | GK-40 | Zamiennik
      e3 | Grzałka do pralki 2000 W | Beko | 2863-401 | Ze stali
      g1 | Kasza gryczana 500 g | Kupiec | 5906000 | Prażona
      g2 | Powidła śliwkowe 290 g | Łowicz | 5907000 | Bez cukru
      g3 | Ser żółty gouda 300 g | Hochland | 5908000 | W plastrach
      f1 | Krzesło do jadalni | Paged | KR-18 | Tapicerowane
      f2 | Biurko z szufladami | Black Red White | BI-120 | Kontenerek
      f3 | Łóżko drewniane 160x200 | Bodzio | LO-160 | Ze stelażem
      b1 | Solaris | Stanisław Lem | 9788308 | Fantastyka naukowa
      b2 | Lalka | Bolesław Prus | 9788373 | Lektura`,
    questions: `
      other form | krzesła | f1
      other form | krzeseł | f1
      other form | łóżka | f3
      other form | biurka | f2
      other form | worek odkurzacz | e1
      other form | grzałki | e3
      author | stanislaw lem | b1
      author | prusa lalka | b2
      code | 494220 | e1
      units | grzałka 2000w | e3
      units | łóżko 160 x 200 | f3
      without accents | powidla sliwkowe | g2
      one edit | krzeslło | f1
      other form with a typo | bateire | e2
      beginning | gryczan | g1
      guard | tapicerowane | f1`,
    goesWith: (one, other) => `Często kupowane razem: ${one} i ${other}.`,
  },
  {
    locale: 'pt',
    products: `
      e1 | Bateria para portátil | Asus | A41-X550 | Iões de lítio
      e2 | Carregador de telemóvel 25 W | Samsung | EP-TA800 | Rápido
      e3 | Filtros para aspirador | Rowenta | ZR-9028 | Conjunto de dois
      g1 | Azeite virgem extra 75 cl | Gallo | 5601252 | Acidez baixa
      g2 | Pão de forma integral 500 g | Bimbo | 5601010 | Sem açúcar
      g3 | Feijão preto 1 kg | Caçarola | 5601020 | Grão seco
      f1 | Estante de livros | Conforama | ES-5 | Cinco prateleiras
      f2 | Mesa de jantar em carvalho | Moviflor | MJ-6 | Madeira maciça
      f3 | Colchão de casal | Pikolin | CO-150 | Espuma viscoelástica
      b1 | Ensaio sobre a cegueira | José Saramago | 9789722 | Romance
      b2 | Os Maias | Eça de Queirós | 9789723 | Clássico`,
    questions: `
      other form | baterias | e1
      other form | colchões | f3
      other form | mesas | f2
      other form | pães | g2
      other form | filtro | e3
      other form | feijões | g3
      without accents | pao integral | g2
      author | jose saramago | b1
      author | eca de queiros | b2
      code | zr9028 | e3
      units | azeite 75cl | g1
      units | carregador 25w | e2
      other form with a typo | estntes | f1
      one edit | carvaho mesa | f2
      beginning | carreg | e2
      one wrong word | feijão preto zzyqx | g3
      guard | viscoelástica | f3`,
    goesWith: (one, other) => `Combina com ${one} e ${other}.`,
  },
];
