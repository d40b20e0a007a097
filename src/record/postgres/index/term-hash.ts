/**
 * Terms as numbers of 64 bits, which is all that PostgreSQL keeps of them. Keyed, so that nobody who lacks
 * the key of the store can find a value whose term is taken for that of another one.
 */
export interface TermHash {
  /** From which another thread makes the same numbers. */
  readonly key: Uint8Array;
  /** The number of a term, in decimal digits. */
  of(term: string): string;
  /** The numbers of terms, as PostgreSQL writes an array. */
  arrayOf(terms: readonly string[]): string;
}

/** Bytes of a key. */
export const keyBytes = 8;

const result = new DataView(new ArrayBuffer(8));

/** HalfSipHash-2-4 with a result of 64 bits, over the UTF-16 code units of a term. */
export function createTermHash(key: Uint8Array): TermHash {
  const bytes = new DataView(key.buffer, key.byteOffset, keyBytes);
  const [low, high] = [bytes.getInt32(0, true), bytes.getInt32(4, true)];
  const of = (term: string) => {
    digest(term, low, high);
    return String(result.getBigInt64(0, true));
  };
  return { key, of, arrayOf: (terms) => `{${terms.map(of).join()}}` };
}

/** Leaves the digest in `result`. Runs for every term of every write: one loop over all rounds, without calls. */
function digest(text: string, low: number, high: number): void {
  let [v0, v1, v2, v3] = [low, high ^ 0xee, low ^ 0x6c796765, high ^ 0x74656462];
  const pairs = text.length >> 1;
  const wordsEnd = 2 * (pairs + 1);
  let word = 0;
  for (let round = 0; round < wordsEnd + 8; round += 1) {
    if (round % 2 === 0) {
      if (round < wordsEnd) {
        v0 ^= word;
        const at = round;
        if (at < 2 * pairs) word = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
        else word = (text.length << 25) | (text.length % 2 === 1 ? text.charCodeAt(at) : 0);
        v3 ^= word;
      } else if (round === wordsEnd) {
        v0 ^= word;
        v2 ^= 0xee;
      } else if (round === wordsEnd + 4) {
        result.setInt32(0, v1 ^ v3, true);
        v1 ^= 0xdd;
      }
    }
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
  }
  result.setInt32(4, v1 ^ v3, true);
}
