/**
 * The distance of two words: the least number of insertions, deletions, replacements and swaps of neighbours that turn
 * one into the other, in code points (decision 22). Swapped letters may be edited further (`ca` and `abc` are 2
 * apart), so that the distance obeys the triangle inequality.
 */

/** Code points, of one word or of many in a row. */
export type CodePoints = Uint16Array | Uint32Array;

/** Buffers for the code points of the two words; grown for a longer word. */
let left = new Uint32Array(64);
let right = new Uint32Array(64);

/** The distance of two words if it is at most `most`, else undefined. */
export function distanceWithin(a: string, b: string, most: 0 | 1 | 2): number | undefined {
  if (a === b) return 0;
  if (most === 0) return undefined;
  if (left.length < a.length) left = new Uint32Array(2 * a.length);
  if (right.length < b.length) right = new Uint32Array(2 * b.length);
  const lengthOfA = spread(a, left);
  const lengthOfB = spread(b, right);
  return codePointDistance(left, 0, lengthOfA, right, 0, lengthOfB, most);
}

/** The distance of stretches of code points; `aEnd` and `bEnd` are the first beyond them. */
export function codePointDistance(
  a: CodePoints,
  aStart: number,
  aEnd: number,
  b: CodePoints,
  bStart: number,
  bEnd: number,
  most: 0 | 1 | 2,
): number | undefined {
  let [start, end] = [0, 0];
  const shorter = Math.min(aEnd - aStart, bEnd - bStart);
  while (start < shorter && a[aStart + start] === b[bStart + start]) start += 1;
  while (end < shorter - start && a[aEnd - 1 - end] === b[bEnd - 1 - end]) end += 1;
  const [n, m] = [aEnd - end, bEnd - end];
  const difference = Math.abs(aEnd - aStart - (bEnd - bStart));
  for (let edits = difference; edits <= most; edits += 1) {
    if (isWithin(a, aStart + start, n, b, bStart + start, m, edits)) return edits;
  }
  return undefined;
}

/** The distance of an asked word and that beginning of a word which is nearest to it, if it is at most `most`. */
export function beginningDistanceWithin(word: string, asked: string, most: 0 | 1 | 2): number | undefined {
  if (left.length < asked.length) left = new Uint32Array(2 * asked.length);
  if (right.length < word.length) right = new Uint32Array(2 * word.length);
  const lengthOfAsked = spread(asked, left);
  const lengthOfWord = spread(word, right);
  return codePointBeginningDistance(left, lengthOfAsked, right, 0, lengthOfWord, most);
}

/** As `beginningDistanceWithin`, for an asked word given by its code points and a range of other code points. */
export function codePointBeginningDistance(
  asked: CodePoints,
  length: number,
  word: CodePoints,
  start: number,
  end: number,
  most: 0 | 1 | 2,
): number | undefined {
  let least: number | undefined;
  const longest = Math.min(end, start + length + most);
  // Each letter more or less is an edit, so that no other beginning can be near enough.
  for (let to = start + Math.max(1, length - most); to <= longest && least !== 0; to += 1) {
    const found = codePointDistance(asked, 0, length, word, start, to, most);
    if (found !== undefined && (least === undefined || found < least)) least = found;
  }
  return least;
}

/** Edits allowed for a word: the level of the request, but no more than its length allows (decision 22). */
export function allowedEdits(word: string, level: 0 | 1 | 2): 0 | 1 | 2 {
  const length = lengthUpTo6(word);
  const allowed = length <= 2 ? 0 : length <= 5 ? 1 : 2;
  return level < allowed ? level : allowed;
}

/** Writes the code points of a word and returns their number. */
export function spread(word: string, into: Uint32Array): number {
  let length = 0;
  for (let at = 0; at < word.length; at += 1) {
    const point = word.codePointAt(at)!;
    if (point > 0xffff) at += 1;
    into[length] = point;
    length += 1;
  }
  return length;
}

function isWithin(a: CodePoints, i: number, n: number, b: CodePoints, j: number, m: number, edits: number): boolean {
  while (i < n && j < m && a[i] === b[j]) {
    i += 1;
    j += 1;
  }
  while (i < n && j < m && a[n - 1] === b[m - 1]) {
    n -= 1;
    m -= 1;
  }
  // The rest of the longer side must be inserted.
  if (i === n || j === m) return n - i + m - j <= edits;
  if (edits === 0 || Math.abs(n - i - (m - j)) > edits) return false;
  if (edits === 1) return isOneEdit(a, i, n, b, j, m);
  return (
    isWithin(a, i + 1, n, b, j + 1, m, edits - 1) ||
    isWithin(a, i + 1, n, b, j, m, edits - 1) ||
    isWithin(a, i, n, b, j + 1, m, edits - 1) ||
    isSwapWithinTwo(a, i, n, b, j, m)
  );
}

/** For words that differ in their first and in their last letter: one replacement, or one swap of two letters. */
function isOneEdit(a: CodePoints, i: number, n: number, b: CodePoints, j: number, m: number): boolean {
  if (n - i === 1) return m - j === 1;
  return n - i === 2 && m - j === 2 && a[i] === b[j + 1] && a[i + 1] === b[j];
}

/** With two edits: a swap of neighbours and another edit, which may insert or delete a letter between the two. */
function isSwapWithinTwo(a: CodePoints, i: number, n: number, b: CodePoints, j: number, m: number): boolean {
  if (i + 1 >= n || j + 1 >= m) return false;
  if (a[i] === b[j + 1] && a[i + 1] === b[j] && isWithin(a, i + 2, n, b, j + 2, m, 1)) return true;
  if (j + 2 < m && a[i] === b[j + 2] && a[i + 1] === b[j] && isWithin(a, i + 2, n, b, j + 3, m, 0)) return true;
  return i + 2 < n && a[i + 2] === b[j] && a[i] === b[j + 1] && isWithin(a, i + 3, n, b, j + 2, m, 0);
}

function lengthUpTo6(word: string): number {
  let length = 0;
  for (let at = 0; at < word.length && length < 6; at += 1) {
    if (word.codePointAt(at)! > 0xffff) at += 1;
    length += 1;
  }
  return length;
}
