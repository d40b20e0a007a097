import type { FormsOfLanguage } from './forms.ts';

/** French, Spanish, Italian, Portuguese and Romanian. */
export const romance: Readonly<Record<string, FormsOfLanguage>> = {
  fr: {
    same: `bijou bijoux|caillou cailloux|genou genoux|chou choux|joujou joujoux|hibou hiboux|clou clous|trou trous|bateau bateaux|manteau manteaux
      |couteau couteaux|rideau rideaux|chapeau chapeaux|tableau tableaux|tuyau tuyaux|noyau noyaux|joyau joyaux|cheveu cheveux|jeu jeux|pneu pneus
      |feu feux|lieu lieux|pieu pieux|bleu bleus bleue bleues|journal journaux|cheval chevaux|métal métaux|bocal bocaux|œil yeux|travail travaux
      |vitrail vitraux|blanc blanche blancs|sec sèche|doux douce|roux rousse|long longue|gros grosse|bas basse|gras grasse|épais épaisse|frais fraîche
      |neuf neuve neufs|actif active actifs|sportif sportive sportifs|décoratif décorative|vif vive|gentil gentille|beau belle|vieux vieille|nouveau nouvelle
      |bon bonne|mignon mignonne|ancien ancienne|italien italienne|public publique|naturel naturelle naturels|violet violette violets|complet complète
      |grand grande grands|petit petite petites|rouge rouges|noir noire noirs|vert verte vertes|gris grise grises|brun brune|rose roses|jaune jaunes
      |léger légère|premier première|cher chère|étanche étanches|chaussure chaussures|robe robes|jupe jupes|chemise chemises|pantalon pantalons
      |veste vestes|botte bottes|chaussette chaussettes|gant gants|sac sacs|montre montres|lunette lunettes|lampe lampes|table tables|chaise chaises
      |canapé canapés|coussin coussins|tapis tapis|lit lits|drap draps|oreiller oreillers|serviette serviettes|assiette assiettes|verre verres
      |tasse tasses|fourchette fourchettes|cuillère cuillères|casserole casseroles|poêle poêles|vélo vélos|ballon ballons|jouet jouets|poupée poupées
      |outil outils|marteau marteaux|vis vis|perceuse perceuses|clé clés|bouteille bouteilles|panier paniers|étagère étagères|bougie bougies`,
    apart: `fil fille|fil filet|filet fillette|sal salle|col colle|bal balle|vis visage|vin vinyle|ville vigne|date datte|pâte patte|pan panne
      |can canne|mal malle|mine minet|car carte|carte carotte|car carrelage|pot poterie|pot porte|porte portable|port porc|chat château
      |chapeau chapelle|chemise cheminée|chaise chaîne|chaussure chausson|jupe jupon|gant gamme|sac sachet|montre monture|lampe lame|table tablier
      |tapis tapisserie|drap drapeau|verre verrou|verre verger|tasse taie|fourchette fourche|cuillère cuir|poêle poil|poil poire|poire pois|poisson poivre
      |vélo velours|ballon balai|jouet jour|poupée poulet|outil ours|marteau marbre|clé climat|bouteille bouton|panier panneau|bougie bouche|bleu blé
      |blanc blouse|noir noix|rouge rouleau|rose rosier|vert verre|vert vernis|gris grille|gris griffe|brun brume|bas bassin|gros groseille
      |doux douche|sec seconde|neuf neige|feu feutre|feu feuille|jeu jean|jeu jeune|lieu lien|chou choc|clou cloche|trou trousse|genou genre|œil oeuf
      |cheval cheveu|cheval chevalet|journal jour|métal métier|bocal bois|four fourrure|four fourmi|moule moulin|souris sourcil|stylo style|tour tournevis|bon bonnet`,
  },
  es: {
    same: `olla ollas|uva uvas|ala alas|aro aros|ojo ojos|oso osos|isla islas|uña uñas|arco arcos|alfombra alfombras|sartén sartenes|almacén almacenes
      |joven jóvenes|examen exámenes|imagen imágenes|auricular auriculares|collar collares|hogar hogares|telar telares|altar altares|bar bares
      |lápiz lápices|luz luces|pez peces|cruz cruces|nariz narices|tapiz tapices|arroz arroces|jersey jerséis|reloj relojes|pared paredes|césped céspedes
      |red redes|mantel manteles|papel papeles|jabón jabones|cojín cojines|sillón sillones|pantalón pantalones|botón botones|imán imanes|tambor tambores
      |motor motores|secador secadores|calcetín calcetines|móvil móviles|pincel pinceles|anillo anillos|pendiente pendientes|azul azules|gris grises
      |marrón marrones|verde verdes|rojo roja rojos rojas|negro negra negros|blanco blanca blancos blancas|amarillo amarilla|pequeño pequeña pequeños
      |grande grandes|nuevo nueva nuevos|español española|inglés inglesa ingleses|alfiler alfileres|taller talleres|mujer mujeres|alquiler alquileres
      |hombre hombres|niño niña niños niñas|bebé bebés|champú champús|menú menús|bikini bikinis|sofá sofás|tijera tijeras|árbol árboles|café cafés
      |cable cables|llave llaves|traje trajes|coche coches|zapato zapatos|bota botas|camisa camisas|falda faldas|vestido vestidos|chaqueta chaquetas
      |abrigo abrigos|gorro gorros|guante guantes|bolso bolsos|mochila mochilas|mesa mesas|silla sillas|lámpara lámparas|cama camas|almohada almohadas
      |toalla toallas|plato platos|vaso vasos|taza tazas|cuchillo cuchillos|tenedor tenedores|cuchara cucharas|bicicleta bicicletas|juguete juguetes
      |martillo martillos|taladro taladros|tornillo tornillos|flor flores|ratón ratones|teclado teclados|pulsera pulseras|manta mantas|vela velas`,
    apart: `par pared|par parasol|mantel manta|mantel mantequilla|manta mano|olla ola|uva uña|ala alambre|aro arroz|aro arco|ojo ojal|oso oboe
      |isla islam|luz lupa|luz lujo|pez peso|pez peine|cruz crudo|red reloj|red regla|bar barco|bar barra|barco barra|collar colchón|collar color|color colonia
      |hogar hoja|telar televisor|tela tetera|altar altavoz|papel papa|pantalón pantalla|botón botín|botín botella|bota botón|imán imagen|motor moto
      |tambor tabla|calcetín calculadora|móvil moda|pincel pinza|anillo animal|pendiente pendón|azul azúcar|azul azulejo|gris grifo|marrón marco
      |marco martillo|verde ventana|rojo rosa|negro nevera|blanco blando|amarillo amar|mujer muñeca|niño nido|champú champiñón
      |menú menta|sofá sol|sol solapa|tijera tija|árbol arbusto|café cafetera|cable cabeza|llave llanta|traje tren|coche cocina|cocina cocinero|zapato zanahoria
      |camisa camino|camisa camiseta|falda faro|vestido vestíbulo|abrigo abridor|gorro gota|guante guitarra|mesa mezcla|silla sillón|cama cámara
      |vaso vaca|taza tapa|plato playa|cuchillo cuchara|tenedor tenis|juguete jugo|flor flotador|ratón raqueta|bolso bolígrafo`,
  },
  it: {
    same: `materasso materassi|bicchiere bicchieri|telefono telefoni|microfono microfoni|citofono citofoni|trono troni|tastiera tastiere|teiera teiere
      |cassettiera cassettiere|scarpiera scarpiere|insalatiera insalatiere|caffettiera caffettiere|saliera saliere|compasso compassi|cameriere camerieri
      |candeliere candelieri|asciugamano asciugamani|divano divani|quaderno quaderni|lanterna lanterne|uovo uova|lenzuolo lenzuola|dito dita|uomo uomini
      |mano mani|specchio specchi|orologio orologi|rasoio rasoi|accappatoio accappatoi|vassoio vassoi|corridoio corridoi|cucchiaio cucchiai|bianco bianca bianche bianchi
      |lungo lunga lunghe lunghi|largo larga larghe|fresco fresca freschi|gioco giochi|fuoco fuochi|arancia arance|valigia valigie valige|camicia camicie
      |braccio braccia|ginocchio ginocchia|paio paia|martello martelli|coltello coltelli|cuscino cuscini|frullatore frullatori|televisore televisori
      |chiave chiavi|nave navi|luce luci|rete reti|parete pareti|moneta monete|magnete magneti|tappeto tappeti|pennello pennelli|forbice forbici
      |piastra piastre|porta porte|finestra finestre|poltrona poltrone|sega seghe|riga righe|bottone bottoni|sapone saponi|pantalone pantaloni
      |zaino zaini|occhiale occhiali|bagno bagni|cane cani|gatto gatti|vaso vasi|lampadario lampadari|armadio armadi|libreria librerie|candela candele
      |collare collari|altare altari|tazza tazze|piatto piatti|forchetta forchette|pentola pentole|padella padelle|sedia sedie|tavolo tavoli|letto letti
      |coperta coperte|tenda tende|scarpa scarpe|stivale stivali|sandalo sandali|gonna gonne|vestito vestiti|giacca giacche|maglione maglioni|calza calze
      |rosso rossa rossi rosse|nero nera neri nere|verde verdi|giallo gialla gialli|grigio grigia grigi grigie|azzurro azzurra azzurri|grande grandi|piccolo piccola piccoli`,
    apart: `porto posto|porta parta|pala palla|palla pallone|pallone palo|casa cassa|casa cavo|cassa cassetto|cassetto casetta|cane canna|canna canale|gatto gala
      |vaso vasca|vasca vassoio|rete retta|parete parte|moneta monitor|chiave chiodo|chiodo chitarra|nave nastro|luce lucchetto|lana lama|lama lampada
      |letto lettera|lettera lettino|tenda tenaglia|tazza tazzina|tavolo tavoletta|piatto piastra|piastra piazza|pentola penna
      |penna pennello|pennello pensile|padella pacco|sedia sedile|scarpa scala|scarpa scarpone|stivale stiro|sandalo salame|gonna gomma|vestito vetro
      |vetro vetrina|giacca giardino|maglione maglia|maglia magnete|calza calice|calza calcio|rosso rosa|nero neve|verde vernice|giallo giacca|grigio griglia
      |bianco banco|banco banda|lungo lupo|largo lardo|fresco freno|gioco gioiello|fuoco funghi|arancia arco|camicia camino|braccio bracciale|bracciale brace
      |dado danza|vite vino|fiore fionda|colore collare|collare collana|sapone sale|sale salotto|candela canestro|cuscino cucina|cucina cucito
      |martello mare|mare marmellata|coltello coltre|specchio spezia|orologio orto|telefono telaio|tastiera tasca|tasca tasto|bicchiere bici|quaderno quadro|zaino zanzara`,
  },
  pt: {
    same: `pão pães|cão cães|botão botões|fogão fogões|colchão colchões|sabão sabões|balão balões|cartão cartões|coração corações|avião aviões
      |mão mãos|anel anéis|papel papéis|pincel pincéis|lençol lençóis|farol faróis|azul azuis|avental aventais|jornal jornais|sandália sandálias
      |móvel móveis|têxtil têxteis|portátil portáteis|infantil infantis|homem homens|viagem viagens|imagem imagens|jardim jardins|batom batons|álbum álbuns
      |mulher mulheres|colher colheres|flor flores|motor motores|colar colares|cor cores|luz luzes|cruz cruzes|rapaz rapazes|cartaz cartazes|mês meses
      |sapato sapatos|bota botas|camisa camisas|saia saias|vestido vestidos|casaco casacos|calça calças|meia meias|luva luvas|chapéu chapéus|bolsa bolsas
      |mochila mochilas|mesa mesas|cadeira cadeiras|cama camas|almofada almofadas|toalha toalhas|prato pratos|copo copos|xícara xícaras|faca facas|garfo garfos
      |panela panelas|frigideira frigideiras|chave chaves|relógio relógios|telefone telefones|câmera câmeras|cabo cabos|lâmpada lâmpadas|espelho espelhos
      |tapete tapetes|cortina cortinas|vaso vasos|vela velas|bicicleta bicicletas|brinquedo brinquedos|boneca bonecas|martelo martelos|parafuso parafusos
      |vermelho vermelha vermelhos vermelhas|preto preta pretos|branco branca brancos brancas|amarelo amarela|verde verdes|cinzento cinzenta
      |grande grandes|pequeno pequena pequenos|novo nova novos|marrom marrons|português portuguesa|lápis lápis|óculos óculos|ananás ananases|gás gases`,
    apart: `pão palha|pão pano|cão capa|cão cano|mão mala|mão mapa|botão bota|botão boné|anel animal|pincel pinça|lençol lenço|lenço lente|azul azeite
      |azul azulejo|avental avenca|jornal jogo|móvel moda|homem homenagem|viagem vinho|imagem ímã|jardim jarra|batom bateria|álbum alça|mulher muleta
      |colher colete|colar colher|colar coleira|colar colchão|cor corda|cor coroa|flor flauta|motor moto|luz luva|luz lupa|cruz cravo|cartaz carta|carta carteira
      |sapato sapo|camisa caminho|saia saída|saia saleiro|vestido vestíbulo|casaco casca|calça cálice|meia medida|luva lua
      |bolsa bolo|mochila mocho|mesa metal|cadeira cadeado|cadeado caderno|cama camarão|almofada almoço
      |toalha toalete|prato prateleira|faca faixa|garfo garrafa|panela pano|chave chá|chá chaleira|relógio relva|telefone televisão
      |cabo cabide|cabo cabelo|cabo cabra|lâmpada lama|espelho esponja|tapete tapa|cortina corte|vaso vassoura|boneca boné|martelo mar|verde verniz|vermelho verme|preto prego`,
  },
  ro: {
    same: `masă mese|fată fete|piatră pietre|mână mâini|geantă genți|roată roți|floare flori florile|cafea cafele|perdea perdele|canapea canapele
      |saltea saltele|curea curele|șosetă șosete|ladă lăzi|pernă perne|față fețe|carte cărți cartea cărțile|mașină mașini mașina|rochie rochii rochia
      |scaun scaune scaunul scaunele|pat patul|pahar pahare paharul|cuțit cuțite cuțitul|furculiță furculițe|lingură linguri|farfurie farfurii
      |oală oale|tigaie tigăi|ceas ceasuri ceasul|telefon telefoane telefonul|pantof pantofi pantofii|cizmă cizme|ghete gheata|cămașă cămăși|fustă fuste
      |pantalon pantaloni|jachetă jachete|palton paltoane|haină haine hainele|pălărie pălării|mănușă mănuși|geacă geci|rucsac rucsacuri|poșetă poșete
      |lampă lămpi lampa|bec becuri|oglindă oglinzi|covor covoare covorul|dulap dulapuri|raft rafturi raftul|fotoliu fotolii|birou birouri|prosop prosoape
      |pătură pături|jucărie jucării|păpușă păpuși|minge mingi|bicicletă biciclete|ciocan ciocane|șurub șuruburi|cheie chei|sticlă sticle|cană căni
      |vază vaze|lumânare lumânări|cutie cutii|inel inele|colier coliere|cercel cercei|brățară brățări|ochelari ochelarii|roșu roșie roșii|negru neagră negri
      |alb albă albi albe|verde verzi|albastru albastră albaștri|galben galbenă galbeni|maro maro|gri gri|mare mari|mic mică mici|nou nouă noi|frumos frumoasă frumoși
      |copil copii|bărbat bărbați|femeie femei|om oameni|ou ouă`,
    apart: `masă mască|masă maşină|fată fag|piatră pilotă|mână mămăligă|geantă geam|roată rochie|roată robă|floare flanelă|cafea cafetieră|perdea perie|canapea cană
      |saltea salam|saltea salată|curea curte|ladă lamă|lamă lampă|pernă perlă|perlă perete|față fasole|carte cartof|cartof carton|mașină masiv|rochie rogojină
      |scaun scară|scară scândură|pat patină|pahar palton|pahar pară|cuțit cutie|cuțit cuptor|furculiță furtun|lingură linte|farfurie fard|oală oase|tigaie tigru
      |ceas ceai|ceas ceapă|telefon televizor|pantof pantalon|cizmă ciment|cămașă cameră|fustă furcă|jachetă jaluzele|palton palmă|haină ham|pălărie pământ
      |mănușă mănăstire|geacă gel|rucsac rulou|poșetă poartă|bec bere|oglindă ogor|covor covrig|dulap dulceață|raft rață|birou bisturiu|prosop prosper|pătură pătlăgea
      |jucărie jug|păpușă păr|minge mină|bicicletă biscuit|ciocan ciocolată|șurub șuncă|cheie chenar|sticlă stilou|cană candelă|vază valiză|lumânare lună
      |cutie cuib|inel inimă|colier colac|cercel cerneală|brățară brânză|roșu rodie|negru negativ|alb album|verde vernil|galben gară|mare margine|mic miere|nou noptieră`,
  },
};
