import type { FormsOfLanguage } from './forms.ts';

/** Swedish, Danish and Norwegian. */
export const scandinavian: Readonly<Record<string, FormsOfLanguage>> = {
  sv: {
    same: `sko skor skorna skon|barnsko barnskor barnskorna|löparsko löparskor löparskorna|väska väskor väskan väskorna|flaska flaskor flaskan
      |stövel stövlar stöveln stövlarna|toffel tofflor toffeln|spegel speglar spegeln|gaffel gafflar gaffeln|kabel kablar kabeln|cykel cyklar cykeln cyklarna
      |nyckel nycklar nyckeln|möbel möbler möbeln möblerna|sadel sadlar|hyvel hyvlar|regel regler|fågel fåglar fågeln|artikel artiklar|bibel biblar
      |dator datorer datorn|motor motorer motorn|kontor kontoret|apparat apparater|tomat tomater tomaten|lampa lampor lampan lamporna|matta mattor mattan
      |soffa soffor soffan|jacka jackor jackan|tröja tröjor tröjan|klocka klockor klockan|byxa byxor byxan|kudde kuddar kudden kuddarna
      |kastrull kastruller|panna pannor pannan|säng sängar sängen sängarna|kniv knivar kniven knivarna|glas glaset glasen|tält tältet tälten
      |bord bordet borden|hus huset husen|ljus ljuset ljusen|kök köket|bälte bälten bältet|äpple äpplen äpplet|täcke täcken täcket|lakan lakanet lakanen
      |armband armbandet armbanden|halsband halsbandet|paket paketet paketen|planet planeter planeten|magnet magneter|finger fingrar fingret
      |filter filtret filtren|fönster fönstret fönstren|mönster mönstret mönster|papper papperet papper|vinter vintrar vintern|sommar somrar sommaren
      |hammare hammaren hammarna|högtalare högtalaren|röd rött röda|vit vitt vita|blå blått blåa|grå grått gråa|ny nytt nya|god gott goda
      |liten litet lilla små|gammal gamla gammalt|grön grönt gröna|gul gult gula|brun brunt bruna|svart svarta|stor stort stora|mjuk mjukt mjuka
      |varm varmt varma|billig billigt billiga|bok böcker boken|plånbok plånböcker plånboken|fot fötter|hand händer|tand tänder|bonde bönder
      |natt nätter|stad städer|strand stränder|rot rötter|ko kor|tå tår|knä knän|get getter|mus möss|öga ögon|öra öron|dotter döttrar|sked skedar skeden
      |tallrik tallrikar|sax saxar saxen|penna pennor pennan|kamera kameror kameran kamerorna|gardin gardiner gardinen|handduk handdukar handduken|ring ringar ringen
      |barn barnen barnet|skjorta skjortor skjortan|klänning klänningar|strumpa strumpor strumpan|boll bollar bollen|tulpan tulpaner|vatten vattnet`,
    apart: `hatt hat|hatt hav|filt filter|filt fil|plan planet|plan planta|rak raket|rak rakapparat|pak paket|lakan lake|lack lakan
      |roman rom|kanel kanin|kanin kant|bord borr|borr borste|glas glass|glas glasyr|hus husk|ljus ljud|kök köp|kniv knapp|sko skola|skor skorsten
      |sko skål|skål skåp|väska väst|vas vask|flaska flagga|stol stolpe|stövel stöd|spegel spel|gaffel gas|kabel kaffe|cykel cylinder|nyckel nypon
      |möbel mössa|mössa mun|lampa lamm|matta mat|mat match|matta matros|soffa soppa|jacka jakt|klocka klo|byxa by|kudde kub|panna papper|panna pant
      |säng sår|säng säl|tält tärning|bälte bänk|äpple ärm|armband arm|finger fin|finger fisk|fönster fön|vinter vin|vin vind|sommar som|hammare hamn
      |dator datum|motor moped|kontor konto|tomat torn|röd ros|vit vitlök|grå grädde|grå gräs|grön gröt|blå blad|blå blomma|ny nyckel|gul guld|brun brud
      |bok boll|fot foto|hand handske|tand tang|sked skena|ring rin|barn bar|barn barr|skjorta skjul|strumpa strut|penna peng|sax saxofon|kam kamera`,
  },
  da: {
    same: `cykel cykler cyklen cyklerne|gaffel gafler gaflen|møbel møbler|kabel kabler kablet|kartoffel kartofler|tøffel tøfler|titel titler|regel regler
      |artikel artikler|sadel sadler sadlen|middel midler midlet|finger fingre fingeren fingrene|hammer hamre hammeren|vinter vintre vinteren|filter filtre filteret
      |mønster mønstre mønsteret|kammer kamre|teater teatre|sko skoene skoen|støvle støvler støvlen støvlerne|lampe lamper lampen|stol stole stolen stolene
      |bord borde bordet bordene|hus huse huset husene|glas glasset glassene|kop kopper koppen|kniv knive kniven|saks sakse saksen|ske skeer skeen
      |tallerken tallerkener|gardin gardiner|pude puder puden|dyne dyner dynen|seng senge sengen|tæppe tæpper tæppet|skab skabe skabet|spejl spejle spejlet
      |ur ure uret|taske tasker tasken|jakke jakker jakken|bukse bukser|kjole kjoler kjolen kjolerne|skjorte skjorter|trøje trøjer trøjen|hat hatte hatten
      |hue huer huen|sok sokker sokken|ring ringe ringen|halskæde halskæder|bold bolde bolden|bil biler bilen bilerne|kamera kameraer kameraet
      |telefon telefoner telefonen|computer computere computeren|vase vaser vasen|blomst blomster blomsten|æble æbler æblet|telt telte teltet
      |hylde hylder hylden|stearinlys stearinlyset|barn børn barnet|mand mænd|fod fødder|hånd hænder|tand tænder|bog bøger bogen|nat nætter|gås gæs
      |rød rødt røde|hvid hvidt hvide|blå blåt|grå gråt|grøn grønt grønne|gul gult gule|brun brunt brune|sort sorte|ny nyt nye|stor stort store
      |lille små|billig billigt billige|varm varmt varme|blød blødt bløde|god godt gode|nøgle nøgler nøglen|håndklæde håndklæder|pengepung pengepunge`,
    apart: `hat have|hat hatchback|bord bor|bord borg|hus husk|ur urt|glas glad|kop kopi|kniv knap|ske sko|sko skole|sko skov
      |stol stok|stof stol|ring rist|saks saft|salt saks|seng senf|sok sol|spejl spand|taske tasse|telt tell|trøje træ|pude pumpe|lampe lam
      |kam kamera|kam kammare|kammer kamera|finger fisk|filter filt|filt film|hammer hal|vinter vin|vin vind|vind vindue|kjole kjortel|hylde hynde|hynde hund
      |nøgle nød|kabel kabine|cykel cylinder|gaffel gas|møbel mønt|regel regn|titel tip|sadel salat|kartoffel kort|kort korn|æble ægge|blomst blok
      |barn bar|bog bogstav|bold bolle|fod foto|tand tang|hånd hår|sort sok|rød rør|grøn grød|grå græs|gul guld|brun brud|blå blad|hvid hvede
      |ny nylon|varm vare|dyne dyr|skab skam|skab skål|vase vask|kort kost|jakke jagt|bukse busk|ærme ærter|plante plade|hue hud`,
  },
  nb: {
    same: `sykkel sykler sykkelen syklene|gaffel gafler gaffelen|nøkkel nøkler nøkkelen|støvel støvler støvelen støvlene|møbel møbler møbelet
      |kabel kabler kabelen|artikkel artikler|tittel titler|sal salen|middel midler|regel regler|finger fingre fingeren fingrene|hammer hammere hammeren
      |vinter vintre vinteren|filter filtre filteret|mønster mønstre mønsteret|vindu vinduer vinduet|sko skoene skoen|lampe lamper lampen lampa
      |stol stoler stolen stolene|bord bordet bordene|hus huset husene|glass glasset glassene|kopp kopper koppen|kniv kniver kniven|saks sakser saksen
      |skje skjeer skjeen|tallerken tallerkener|gardin gardiner|pute puter puta puten|dyne dyner dyna|seng senger senga sengen|teppe tepper teppet
      |skap skapet skapene|speil speilet speilene|klokke klokker klokka|veske vesker veska vesken|jakke jakker jakka jakken|bukse bukser buksa
      |kjole kjoler kjolen kjolene|skjorte skjorter skjorta|genser gensere genseren|hatt hatter hatten|lue luer lua|sokk sokker sokken|ring ringer ringen
      |ball baller ballen|bil biler bilen bilene|kamera kameraer kameraet|telefon telefoner telefonen|datamaskin datamaskiner|vase vaser vasen
      |blomst blomster blomsten|eple epler eplet|telt telt teltet|hylle hyller hylla|lys lyset lysene|barn barnet barna|mann menn|fot føtter|hånd hender
      |tann tenner|bok bøker boka|natt netter|rød rødt røde|hvit hvitt hvite|blå blått|grå grått|grønn grønt grønne|gul gult gule|brun brunt brune
      |svart svarte|ny nytt nye|stor stort store|liten lite lille små|billig billig billige|varm varmt varme|myk mykt myke|god godt gode
      |jente jenter jenta|gutt gutter gutten|håndkle håndklær|lommebok lommebøker|gryte gryter gryta|matte matter matta`,
    apart: `hatt hat|bord bor|bord borg|bil bilde|hus husk|glass glad|kopp kopi|kniv knapp|skje sko|sko skole|sko skog|stol stoff|ring rist
      |saks saft|salt saks|seng senn|sokk sol|speil spade|veske vest|vest ved|telt tell|pute pumpe|lampe lam|kam kamera|kam kammare|finger fisk
      |filter filt|filt film|hammer havn|vinter vin|vin vind|vind vindu|kjole kjele|hylle hytte|nøkkel nøtt|kabel kabin|sykkel syl|syl sylinder
      |gaffel gass|møbel mønt|regel regn|tittel tips|artikkel arm|eple egg|blomst blokk|barn bar|bok boks|ball ballett|fot foto|tann tang|hånd hår
      |svart svamp|rød rør|grønn grøt|grå gress|gul gull|brun brud|blå blad|hvit hvete|ny nylon|varm vare|dyne dyr|skap skam|skap skål|vase vask|bukse busk
      |plante plate|lue luft|kort kors|jakke jakt|lys lyd|klokke klo|teppe tett|stige stift|gryte gress|matte mat|mat match|ski skinn`,
  },
};
