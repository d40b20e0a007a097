/**
 * Order keys: encodings of values whose bytes sort as the values do (decision 16). The term index keeps its terms in the
 * order of their bytes, so it can answer ranges and sorts. Lower-case hex digits only.
 */

/** Bytes of a text in its key; longer texts that begin alike share a key. */
const textBytes = 24;
const cutLength = 2 * textBytes;

const hexOfByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const view = new DataView(new ArrayBuffer(8));

function hexOfWord(word: number): string {
  return (
    hexOfByte[word >>> 24]! + hexOfByte[(word >>> 16) & 255]! + hexOfByte[(word >>> 8) & 255]! + hexOfByte[word & 255]!
  );
}

/**
 * The key of a number in the form of `exactNumber`, or of a safe integer: the bits of the double, transformed so that they
 * sort as an unsigned integer. From 2⁵³ on several integers share a double, so the distance from it follows (decision 5).
 */
export function numberKey(value: bigint | number): string {
  const double = Number(value);
  // Adding 0 turns -0 into 0: predicates treat them as equal.
  view.setFloat64(0, double + 0);
  const [high, low] = [view.getInt32(0), view.getInt32(4)];
  const key = high < 0 ? hexOfWord(~high) + hexOfWord(~low) : hexOfWord(high ^ 0x8000_0000) + hexOfWord(low);
  return double < 2 ** 53 && double > -(2 ** 53) ? key : key + residualKey(value, double);
}

/** At most 512 either way, since doubles below 2⁶³ are at most 1024 apart. */
function residualKey(value: bigint | number, double: number): string {
  const residual = typeof value === 'bigint' ? Number(value - BigInt(double)) : 0;
  return (residual + 0x800).toString(16);
}

/** The key of a text, or of an instant in canonical form: its first bytes. */
export function textKey(text: string): string {
  const end = Math.min(text.length, textBytes);
  let key = '';
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    // Two code units more than bytes are taken, so that no pair of surrogates is cut in half.
    if (code > 127) return Buffer.from(text.slice(0, textBytes + 2)).toString('hex', 0, textBytes);
    key += hexOfByte[code]!;
  }
  return key;
}

/** True for the key of a text that may be longer than its key. */
export function isCut(key: string): boolean {
  return key.length >= cutLength;
}

/** The classes of values, in their order. With a key behind it, values of all classes compare. */
export const valueClass = { number: '0', text: '1', boolean: '2' } as const;

const complements: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? '' : (15 - digit).toString(16);
});

/** A class and key in an encoding whose bytes sort in the opposite order. */
export function descendingKey(ascending: string): string {
  let key = '';
  for (let at = 0; at < ascending.length; at += 1) key += complements[ascending.charCodeAt(at)]!;
  // A text sorts after its own continuations, so its end must be greater than any digit.
  return ascending.startsWith(valueClass.text) ? `${key}g` : key;
}

/** The number of a key; undefined for a number so great that its key has more than the double. */
export function numberOfKey(key: string): number | undefined {
  if (key.length !== 16) return undefined;
  const [high, low] = [Number.parseInt(key.slice(0, 8), 16), Number.parseInt(key.slice(8), 16)];
  const isPositive = high >= 0x8000_0000;
  view.setUint32(0, isPositive ? high - 0x8000_0000 : ~high);
  view.setUint32(4, isPositive ? low : ~low);
  return view.getFloat64(0);
}
