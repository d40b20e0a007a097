import { isMap, type JsonMap } from '../api/json.ts';

const fields = ['name', 'title', 'label'] as const;

/** What people call a resource: its name, in the first language that it has, or else its key or its id. */
export function nameOf(document: JsonMap | undefined): string {
  for (const field of fields) {
    const value = document?.[field];
    const text = isMap(value) ? (value.en ?? Object.values(value)[0]) : value;
    if (typeof text === 'string' && text !== '') return text;
  }
  return String(document?.key ?? document?.id ?? '');
}
