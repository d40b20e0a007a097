import { isMap, type Json, numberOf, parseJson } from '../api/json.ts';
import { texts } from '../app/texts.ts';
import type { ActionField } from './schema.ts';

/** The input for a field: a text, or the state of a check box. */
export type Typed = string | boolean | undefined;

/** The value that is typed; `undefined` for none, a problem for what is no value. */
export function typedValue(field: ActionField, typed: Typed): { readonly value?: Json } | { readonly problem: string } {
  if (field.kind === 'boolean') return typed === true ? { value: true } : field.isRequired ? { value: false } : {};
  const text = typeof typed === 'string' ? typed : '';
  if (field.kind === 'text' && (text !== '' || (field.isRequired && typed !== undefined))) return { value: text };
  if (text.trim() === '') return field.isRequired ? { problem: 'Enter a value' } : {};
  if (field.kind === 'choice') return { value: text };
  if (field.kind === 'json') return jsonOf(field, text);
  const value = numberOf(text.trim());
  if (value === undefined) return { problem: texts.resource.numberInvalid };
  const number = Number(text);
  if (field.kind === 'integer' && !/^-?\d+$/.test(text.trim())) return { problem: 'Enter a whole number' };
  if (field.minimum !== undefined && number < field.minimum) return { problem: `At least ${field.minimum}` };
  if (field.maximum !== undefined && number > field.maximum) return { problem: `At most ${field.maximum}` };
  return { value };
}

function jsonOf({ jsonType }: ActionField, text: string): { readonly value: Json } | { readonly problem: string } {
  try {
    const value = parseJson(text);
    if (jsonType === 'array' && !Array.isArray(value)) return { problem: 'Enter a list: […]' };
    if (jsonType === 'object' && !isMap(value)) return { problem: 'Enter an object: {…}' };
    return { value };
  } catch (error) {
    return { problem: `${texts.resource.jsonInvalid} ${(error as Error).message}` };
  }
}
