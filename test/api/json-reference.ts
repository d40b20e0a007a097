/**
 * A second reading of JSON, independent of the service's own: numbers as digits, objects as maps. What the service
 * keeps is compared by it, since JSON.parse would round both sides alike.
 */
export type Reference = null | boolean | string | NumberText | readonly Reference[] | ReferenceObject;
export type ReferenceObject = ReadonlyMap<string, Reference>;

/** A number in canonical digits. */
export interface NumberText {
  readonly digits: string;
}

/** Integers of 64 bits digit by digit, in whatever form; all else as the shortest text of the nearest double (decision 5). */
function digitsOf(source: string): string {
  if (/^-?\d+$/.test(source)) return String(BigInt(source));
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const power = Number(exponent) - fraction.length;
  if (Math.abs(power) < 400) {
    const [value, scale] = [BigInt(whole + fraction), 10n ** BigInt(Math.abs(power))];
    const integer = power >= 0 ? value * scale : value % scale === 0n ? value / scale : undefined;
    // The sign of a fraction such as -0.5 is lost above, but that is no integer.
    if (integer !== undefined && BigInt.asIntN(64, integer) === integer) return String(integer);
  }
  return String(Number(source) || 0);
}

/** Reads a JSON text that is known to be one. */
export function readReference(text: string): Reference {
  const revive = (_key: string, value: unknown, { source }: { readonly source?: string }): unknown => {
    if (typeof value === 'number') return { digits: digitsOf(source ?? '') } satisfies NumberText;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return new Map(Object.entries(value));
  };
  return JSON.parse(text, revive as (key: string, value: unknown) => unknown) as Reference;
}

/** The same as a reference where the text is a JSON object; undefined for anything else. */
export function readReferenceObject(text: string): ReferenceObject | undefined {
  const value = readReference(text);
  return value instanceof Map ? value : undefined;
}

/** What a merge patch makes of a value (RFC 7396 §2). */
export function mergeReference(target: Reference | undefined, patch: Reference): Reference {
  if (!(patch instanceof Map)) return patch;
  const result = new Map<string, Reference>(target instanceof Map ? target : []);
  for (const [name, value] of patch) {
    if (value === null) result.delete(name);
    else result.set(name, mergeReference(result.get(name), value));
  }
  return result;
}
