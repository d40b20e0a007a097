/**
 * Encodings of values whose bytes are in the order of the values (decision 16), for index terms: what the term index
 * keeps in order of bytes, it then answers ranges and sorts from. Lower-case hex digits only.
 */

/** Bytes of a text that its key has; longer texts that begin alike share a key. */
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
 * The key of a number in the form of `exactNumber`, or of a safe integer: the bits of the double, turned so that they
 * order as unsigned. From 2⁵³ on several integers share a double, so the distance from it follows (decision 5).
 */
export function numberKey(value: bigint | number): string {
  const double = Number(value);
  // Adding 0 makes -0 and 0 one number, which they are to predicates.
  view.setFloat64(0, double + 0);
  const [high, low] = [view.getInt32(0), view.getInt32(4)];
  const key = high < 0 ? hexOfWord(~high) + hexOfWord(~low) : hexOfWord(high ^ 0x8000_0000) + hexOfWord(low);
  return double < 2 ** 53 && double > -(2 ** 53) ? key : key + residualKey(value, double);
}

/** At most 512 either way, for doubles below 2⁶³ are 1024 apart at most. */
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
    // Two units more than there are bytes to take: a pair of surrogates must not be cut in half.
    if (code > 127) return Buffer.from(text.slice(0, textBytes + 2)).toString('hex', 0, textBytes);
    key += hexOfByte[code]!;
  }
  return key;
}

/** True for the key of a text that may go on beyond it. */
export function isCut(key: string): boolean {
  return key.length >= cutLength;
}

/** The classes of values, in their order. Followed by a key, the least and greatest of a document can be told. */
export const valueClass = { number: '0', text: '1', boolean: '2' } as const;

const complements: readonly string[] = Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16);
  return Number.isNaN(digit) ? '' : (15 - digit).toString(16);
});

/** A class and key in a encoding whose bytes are in the opposite order. */
export function descendingKey(ascending: string): string {
  let key = '';
  for (let at = 0; at < ascending.length; at += 1) key += complements[ascending.charCodeAt(at)]!;
  // A text comes after its own continuations: what ends it must be greater than any digit.
  return ascending.startsWith(valueClass.text) ? `${key}g` : key;
}

/** The number of a key; undefined where it is so great that the key has more than a double. */
export function numberOfKey(key: string): number | undefined {
  if (key.length !== 16) return undefined;
  const [high, low] = [Number.parseInt(key.slice(0, 8), 16), Number.parseInt(key.slice(8), 16)];
  const isPositive = high >= 0x8000_0000;
  view.setUint32(0, isPositive ? high - 0x8000_0000 : ~high);
  view.setUint32(4, isPositive ? low : ~low);
  return view.getFloat64(0);
}
