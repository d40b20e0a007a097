import { badImage } from '../refusal.ts';

const damaged = () => badImage('it is damaged: the pixels of the PNG cannot be inflated');
const cutOff = () => badImage('it is damaged: the pixels of the PNG end too early');

/** The order in which a block tells the lengths of the codes for lengths (RFC 1951, §3.2.7). */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;

const maxBits = 15;

/** Base and extra bits of the symbols from 257 on, and of the distances (§3.2.5). */
const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115];
lengthBases.push(131, 163, 195, 227, 258);
const lengthExtras = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceExtras = Array.from({ length: 30 }, (_, i) => Math.max(0, (i >> 1) - 1));
const distanceBases = distanceExtras.map((extra, i) => (i < 2 ? i + 1 : 1 + ((2 + (i & 1)) << extra)));

/** A canonical Huffman code: how many codes there are of each length, and their symbols in order. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

const newCode = (size: number): Code => ({ counts: new Uint16Array(maxBits + 1), symbols: new Uint16Array(size) });

/** Where the symbols of each length begin; used within one call only. */
const places = new Uint16Array(maxBits + 2);

/** Makes it the code of these lengths. What it held is overwritten: a file may have a million of codes. */
function setCode(code: Code, lengths: Uint8Array, from: number, to: number): Code {
  const { counts, symbols } = code;
  counts.fill(0);
  for (let i = from; i < to; i += 1) counts[lengths[i]!]! += 1;
  counts[0] = 0;
  places[1] = 0;
  let free = 1;
  for (let length = 1; length <= maxBits; length += 1) {
    free = free * 2 - counts[length]!;
    if (free < 0) throw damaged();
    places[length + 1] = places[length]! + counts[length]!;
  }
  for (let i = from; i < to; i += 1) {
    const length = lengths[i]!;
    if (length === 0) continue;
    symbols[places[length]!] = i - from;
    places[length]! += 1;
  }
  return code;
}

function fixedCode(lengths: Uint8Array): Code {
  return setCode(newCode(lengths.length), lengths, 0, lengths.length);
}

const fixedLiterals = fixedCode(
  Uint8Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
);
const fixedDistances = fixedCode(new Uint8Array(30).fill(5));

/**
 * Walks a zlib stream (RFC 1950 and 1951) to its end, which must be that of the data, and `expected` bytes must come out of
 * it. Nothing is inflated, only lengths are added up: it costs as much as the data is long, whatever would come out.
 * Throws 400. The checksum at the end is the decoder's to look at.
 */
export function walkZlib(data: Uint8Array, expected: number): void {
  let at = 2;
  let bits = 0;
  let count = 0;
  let length = 0;
  const [ofLengths, ofLiterals, ofDistances] = [newCode(19), newCode(288), newCode(32)];
  const lengths = new Uint8Array(320);

  function take(wanted: number): number {
    while (count < wanted) {
      if (at >= data.length) throw cutOff();
      bits |= data[at++]! << count;
      count += 8;
    }
    const value = bits & ((1 << wanted) - 1);
    bits >>>= wanted;
    count -= wanted;
    return value;
  }

  function symbolOf({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let place = 0;
    for (let width = 1; width <= maxBits; width += 1) {
      if (count === 0) {
        if (at >= data.length) throw cutOff();
        bits = data[at++]!;
        count = 8;
      }
      code |= bits & 1;
      bits >>>= 1;
      count -= 1;
      const here = counts[width]!;
      if (code - here < first) return symbols[place + code - first]!;
      place += here;
      first = (first + here) << 1;
      code <<= 1;
    }
    throw damaged();
  }

  function add(more: number): void {
    length += more;
    if (length > expected) throw badImage('it is damaged: the PNG has more pixels than its header says');
  }

  function stored(): void {
    bits = 0;
    count = 0;
    if (at + 4 > data.length) throw cutOff();
    const size = data[at]! | (data[at + 1]! << 8);
    if (size !== (~(data[at + 2]! | (data[at + 3]! << 8)) & 0xffff)) throw damaged();
    at += 4 + size;
    if (at > data.length) throw cutOff();
    add(size);
  }

  function compressed(literals: Code, distances: Code): void {
    for (;;) {
      const symbol = symbolOf(literals);
      if (symbol < 256) add(1);
      else if (symbol === 256) return;
      else {
        const base = lengthBases[symbol - 257];
        if (base === undefined) throw damaged();
        const size = base + take(lengthExtras[symbol - 257]!);
        const distance = symbolOf(distances);
        if (distance >= 30 || distanceBases[distance]! + take(distanceExtras[distance]!) > length) throw damaged();
        add(size);
      }
    }
  }

  function readCodes(): void {
    const literals = take(5) + 257;
    const distances = take(5) + 1;
    lengths.fill(0, 0, 19);
    for (let i = 0, told = take(4) + 4; i < told; i += 1) lengths[lengthOrder[i]!] = take(3);
    setCode(ofLengths, lengths, 0, 19);
    const all = literals + distances;
    for (let i = 0; i < all; ) {
      const symbol = symbolOf(ofLengths);
      if (symbol < 16) {
        lengths[i++] = symbol;
        continue;
      }
      if (symbol === 16 && i === 0) throw damaged();
      const value = symbol === 16 ? lengths[i - 1]! : 0;
      const times = symbol === 16 ? 3 + take(2) : symbol === 17 ? 3 + take(3) : 11 + take(7);
      if (i + times > all) throw damaged();
      lengths.fill(value, i, i + times);
      i += times;
    }
    setCode(ofLiterals, lengths, 0, literals);
    setCode(ofDistances, lengths, literals, all);
  }

  if (data.length < 2) throw cutOff();
  const head = (data[0]! << 8) | data[1]!;
  if ((data[0]! & 0x0f) !== 8 || data[0]! >> 4 > 7 || head % 31 !== 0 || (data[1]! & 0x20) !== 0) throw damaged();
  for (let isLast = false; !isLast; ) {
    isLast = take(1) === 1;
    const kind = take(2);
    if (kind === 3) throw damaged();
    if (kind === 0) stored();
    else if (kind === 1) compressed(fixedLiterals, fixedDistances);
    else {
      readCodes();
      compressed(ofLiterals, ofDistances);
    }
  }
  if (length < expected) throw badImage('it is damaged: the PNG has fewer pixels than its header says');
  // The checksum of four bytes begins at the next whole one.
  const end = at - (count >> 3) + 4;
  if (end > data.length) throw cutOff();
  if (end < data.length) throw badImage('nothing may follow the pixels of the PNG');
}
