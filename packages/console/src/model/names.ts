import { isMap, type Json, type JsonMap } from '../api/json.ts';

/** The display name of a resource: its name in a language, else in its first language, else its key or id. */
export function nameOf(document: JsonMap | undefined, language = 'en'): string {
  for (const field of ['name', 'title', 'label'] as const) {
    const value = document?.[field];
    const text = isMap(value) ? (textIn(value, language) ?? Object.values(value)[0]) : value;
    if (typeof text === 'string' && text !== '') return text;
  }
  return String(document?.key ?? document?.id ?? '');
}

/** The text of a locale such as `zh-Hant-TW`, else of `zh-Hant`, else of `zh`. */
function textIn(texts: JsonMap, locale: string): Json | undefined {
  for (let wider = locale; wider !== ''; wider = wider.slice(0, Math.max(wider.lastIndexOf('-'), 0))) {
    if (texts[wider] !== undefined) return texts[wider];
  }
  return undefined;
}
