/**
 * Locales: a language of two letters, then a script, then a region, each where it matters, as BCP 47 writes them: `de`,
 * `de-AT`, `zh-Hans`, `zh-Hant-TW`, `es-419`.
 */

/** The form of a locale, for patterns. */
export const localePattern = '[a-z]{2}(?:-[A-Z][a-z]{3})?(?:-(?:[A-Z]{2}|[0-9]{3}))?';

const parts = /^([a-z]{2})(?:-([A-Z][a-z]{3}))?(?:-([A-Z]{2}|[0-9]{3}))?$/;
const anyCase = /^([a-z]{2})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?$/i;

/** ISO 639-1. */
const languageCodes: ReadonlySet<string> = new Set(
  `aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
  et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj
  kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv
  ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th
  ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu`.split(/\s+/),
);

/** Scripts of living languages by ISO 15924, so that `is-Sold` is not a locale. */
const scripts: ReadonlySet<string> = new Set(
  `Adlm Arab Armn Beng Bopo Cans Cher Cyrl Deva Ethi Geor Grek Gujr Guru Hang Hans Hant Hebr Jpan Khmr Knda Kore Laoo Latn
  Mlym Mong Mtei Mymr Nkoo Olck Orya Sinh Syrc Taml Telu Tfng Thaa Thai Tibt Vaii Yiii`.split(/\s+/),
);

/** The groups of countries of UN M.49; countries have letters. */
const regions: ReadonlySet<string> = new Set(
  '001 002 003 005 009 011 013 014 015 017 018 019 021 029 030 034 035 039 053 054 057 061 142 143 145 150 151 154 155 202 419'.split(
    ' ',
  ),
);

/** True for the name of an object's member whose texts are in a language. */
export function isLocale(name: string): boolean {
  // Most names are longer or shorter.
  if (name.length === 2) return languageCodes.has(name);
  const [, language, script, region = ''] = parts.exec(name) ?? [];
  if (language === undefined || !languageCodes.has(language)) return false;
  return (script === undefined || scripts.has(script)) && (!isDigits(region) || regions.has(region));
}

function isDigits(region: string): boolean {
  return region !== '' && region <= '9';
}

/** A locale that was written in another case or with underscores, as it is meant: `pt-br`, `ZH_hans`. */
export function intendedLocale(written: string): string | undefined {
  const [, language, script, region] = anyCase.exec(written) ?? [];
  if (language === undefined) return undefined;
  const inTitleCase = script && script.slice(0, 1).toUpperCase() + script.slice(1).toLowerCase();
  return [language.toLowerCase(), inTitleCase, region?.toUpperCase()].filter(Boolean).join('-');
}

/** A locale, then what is left of it part by part: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function widerLocales(locale: string): readonly string[] {
  const wider = [locale];
  for (let end = locale.lastIndexOf('-'); end > 0; end = locale.lastIndexOf('-', end - 1)) {
    wider.push(locale.slice(0, end));
  }
  return wider;
}

/**
 * The index has a word under the locale that the names around it look like. Where a project says that these are no locales, the word is under none: it is looked for under that locale, and told from the other words there by a space
 * of its own. `=uk` are the words of `uk` that are plain.
 */
const plainMark = '=';

/** The space of the plain words that the index has under a locale. */
export function plainSpaceOf(locale: string): string {
  return plainMark + locale;
}

export function isPlainSpace(space: string): boolean {
  return space.startsWith(plainMark);
}

/** The locale under which the index has the words of a space. */
export function indexedLocale(space: string): string {
  return isPlainSpace(space) ? space.slice(plainMark.length) : space;
}
