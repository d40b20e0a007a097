import type { LanguageCode } from '../languages.ts';

/**
 * How forms of words end, folded, by language: of such endings a word that is still being typed may have a part, or none yet. Only the
 * ends of longer endings are listed where their other letters stay in the stem as long as the word is not whole (`g` of `-ig`). Chosen from
 * the forms in word lists of each language, those first that keep most of them found while they are typed; then those that the
 * everyday forms need, as `je` of `kopje`.
 */
const table: Readonly<Partial<Record<LanguageCode, string>>> = {
  ar: 'ات ان ون ين يه ية ها تان تين ة ه ي',
  cs: 'ch ho e i m ou k vy va n c l na ny',
  da: 'l n e ig es ige lse igt ed lsen eden ser eds ighed sens edens lses eder igere iges r',
  de: 'eit ng ich ngen ichen iche eiten g gkeit gen icher iches ge schen ger ges sche sch e ichste scher ichem',
  el: 'ται ων ε αν α ο ει τασ σ ηκε ου ουν ηκαν ταν ουσ ι ισμοσ ισμο ισμου ια τερα τεσ τοσ τερη τησ τερο τη τερεσ ουμε',
  en: 'ing tion y ed ess ble ent ings tions nce ul ty l ents tive us nt es te lly ties bly nces usly tor nts bility ncy',
  es: 'o e ron os a cion es an mente ciones do endo miento as eron mos idad da r dos das sta ble era ndose ia stas eran smo iva ivo bles',
  fi: 'en ta sa lla lle n si a in sta iden ti ssa taan mme ihin llaan ssaan o een na aan isiin ksi pi lleen',
  fr: 'nt ment ion ante e ions nts ments ait tes ez able ns ant es er ement ent ce aient bles x teur ue teurs',
  hi: 'ा े यों कर ी याँ यां ं ाओं',
  hu: 'a e uk an nk hoz en al el ez anak l lt k ukat t yal enek aban',
  hy: 'ում երի ր վ երը ել լու ության երից րին ած ելով երով ցին ումը րում ն երն ուն ւթյանը եց լուց մբ յունը ւմից ւմն լիս',
  id: 'ya an annya ah u un',
  it: 'a o i e ndo zione mente mento se ono ndosi ti rebbe te ranno ssero azioni gli menti si ta ce dolo to bile dogli ene rlo mo',
  ko: '으로 이나 에서 에게 까지 부터 하고 처럼 보다',
  lt: 's i ose e a avo amas ant u is as ti ami ngas os o ntis ama nga iai ngai es ngi ems ais ta us tas ntys ngu eji antis ngos ms',
  nb: 'l e ig ige de eg lse ege ova et lsen loven eten ighet lser ov lovens r gheter sene n etene',
  ne: '् िन् ्यो ्यौ ा ो े ुहुन्छ िस् ुपर्छ ैथिए ै ुहुनेछ ी दैछन् ियो िइस् ुभयो ेछ एका ु ाई ैथ्यो ैहुनेछ एको ुपर्यो ैथियो न्छ ेहरु दैछ ुहोस् ेछन् एकी ैथिन् ान् ुपर्दा ेछु ेछिन् ैहुन्छ ाभयो',
  nl: 'je ng eid ngen ijk aar g are l eden ijke t n ge r m ngs k d p s f gheid niging rheid ns',
  pl: 'ch go k ie b c l r',
  pt: 'do a os as am em sse mente s o mento dor te idade es dores tes u dora mentos',
  ro: 'ne e or ul ea lui are nd sc t bil ori ta bila ti ile te itate asa i ili tii s z sem ase rii orul',
  ru: 'ь я го ься е к сть вшись сти ий й ую ая м ийся ие т их его стью ых есь ый ей им',
  sr: 'a i e st n m em u g oj o ih jim eg si ima uci ac ca ma',
  sv: 'l t de rna ig iga igt et r lse e eten rnas ighet igare lsen det igaste igen lser ige eter des etens igast sens',
  tr: 'a i e an en in ari ar eri er arini arin la le erin erini ini arinin inin erinin arda inda arinda erde inde erden ardan erinde indan u inden unun ariyla eriyle iyla',
  uk: 'к ий ого ому им ими их ої ою ій ами ями ах ях ом ем ів ість істю ся ть ти',
};

const sameAs: Readonly<Partial<Record<LanguageCode, LanguageCode>>> = { nn: 'nb', no: 'nb' };

/** The endings of a language; none in Japanese and Tamil, nor where words have no forms. */
export function endingsOf(code: LanguageCode): readonly string[] {
  const known = endings.get(code) ?? table[sameAs[code] ?? code]?.split(' ') ?? [];
  endings.set(code, known);
  return known;
}

const endings = new Map<LanguageCode, readonly string[]>();
