import type { ImageStructure } from '../codec/container/ranges.ts';
import { badImage } from '../refusal.ts';

const damaged = (what: string) => badImage(`it is damaged: the JPEG has ${what}`);

interface Component {
  readonly id: number;
  /** How many blocks of it a unit has, across and down. */
  readonly h: number;
  readonly v: number;
}

export interface JpegFrame {
  readonly dimensions: ImageStructure['dimensions'];
  readonly components: readonly Component[];
}

/** Huffman tables by their class and number, as the segment that defines them has it; the code lengths, then the symbols. */
export type JpegTables = ReadonlyMap<number, Buffer>;

/** A scan of a picture in baseline coding: what it needs for it to be read, and where its bytes are. */
export interface JpegScan {
  readonly frame: JpegFrame;
  readonly tables: JpegTables;
  /** Units between two restarts; 0 is all. */
  readonly restart: number;
  readonly header: Buffer;
  readonly from: number;
  readonly to: number;
}

/** Reads a frame header. */
export function readJpegFrame(data: Buffer): JpegFrame {
  const count = data[5] ?? 0;
  if (count === 0 || data.length !== 6 + 3 * count) throw damaged('a frame of no proper length');
  const dimensions = { w: data.readUInt16BE(3), h: data.readUInt16BE(1) };
  if (dimensions.w === 0 || dimensions.h === 0) throw badImage('the JPEG has no dimensions');
  const components = Array.from({ length: count }, (_, i) => {
    const sides = data[7 + 3 * i]!;
    return { id: data[6 + 3 * i]!, h: sides >> 4, v: sides & 15 };
  });
  if (components.some(({ h, v }) => h < 1 || h > 4 || v < 1 || v > 4)) throw damaged('a frame of no proper form');
  return { dimensions, components };
}

/** The tables, with those that a segment defines. */
export function withJpegTables(tables: JpegTables, data: Buffer): JpegTables {
  const all = new Map(tables);
  for (let at = 0; at < data.length; ) {
    const count = data.subarray(at + 1, at + 17).reduce((sum, codes) => sum + codes, 0);
    const table = data.subarray(at + 1, at + 17 + count);
    if (count > 256 || table.length !== 16 + count) throw damaged('a table of no proper length');
    all.set(data[at]!, table);
    at += 17 + count;
  }
  return all;
}

/** By the next 16 bits: the length of the code that they begin with, and its symbol; 0 where there is none. */
function lookupOf(table: Buffer | undefined): Uint16Array {
  if (table === undefined) throw damaged('a scan without its tables');
  const lookup = new Uint16Array(65_536);
  let at = 0;
  let place = 16;
  for (let length = 1; length <= 16; length += 1) {
    for (let code = 0; code < table[length - 1]!; code += 1, place += 1) {
      const end = at + 2 ** (16 - length);
      if (end > 65_536) throw damaged('a table with too many codes');
      lookup.fill((length << 8) | table[place]!, at, end);
      at = end;
    }
  }
  return lookup;
}

/** A block of 64 values by its tables: the first value, then the others. */
type Block = readonly [dc: Uint16Array, ac: Uint16Array];

function planScan({ frame, tables, header }: JpegScan): { readonly units: number; readonly blocks: readonly Block[] } {
  const { dimensions, components } = frame;
  const count = header[0] ?? 0;
  if (count < 1 || count > 4 || header.length !== 4 + 2 * count) throw damaged('a scan of no proper length');
  const lookups = new Map<number, Uint16Array>();
  const lookup = (id: number) => {
    const found = lookups.get(id) ?? lookupOf(tables.get(id));
    lookups.set(id, found);
    return found;
  };
  const chosen = Array.from({ length: count }, (_, i) => {
    const component = components.find(({ id }) => id === header[1 + 2 * i]);
    if (component === undefined) throw damaged('a scan of what its frame does not have');
    const ids = header[2 + 2 * i]!;
    const block: Block = [lookup(ids >> 4), lookup(0x10 | (ids & 15))];
    return { component, block };
  });
  const [hMax, vMax] = [Math.max(...components.map(({ h }) => h)), Math.max(...components.map(({ v }) => v))];
  const { w, h } = dimensions;
  const [only] = chosen;
  if (only !== undefined && count === 1) {
    const blocksOf = (side: number, part: number, whole: number) => Math.ceil(Math.ceil((side * part) / whole) / 8);
    const units = blocksOf(w, only.component.h, hMax) * blocksOf(h, only.component.v, vMax);
    return { units, blocks: [only.block] };
  }
  const units = Math.ceil(w / (8 * hMax)) * Math.ceil(h / (8 * vMax));
  return { units, blocks: chosen.flatMap(({ component: c, block }) => Array<Block>(c.h * c.v).fill(block)) };
}

/**
 * Walks the codes of a scan in baseline coding. No value is kept; it costs what the scan is long. Throws 400 where it has
 * not exactly as many blocks as its picture, or anything behind them.
 */
export function walkJpegScan(bytes: Buffer, scan: JpegScan): void {
  const { units, blocks } = planScan(scan);
  let at = scan.from;
  let bits = 0;
  let count = 0;

  /** Sees to it that there are 16 bits, those behind the end being 0 and counted as missing. */
  let missing = 0;
  function fill(): void {
    while (count < 16) {
      const byte = at < scan.to ? bytes[at]! : 0xff;
      const isEnd = byte === 0xff && (at >= scan.to || bytes[at + 1] !== 0);
      if (isEnd) missing += 8;
      else at += byte === 0xff ? 2 : 1;
      bits = ((bits << 8) | (isEnd ? 0 : byte)) & 0xffffff;
      count += 8;
    }
  }

  function symbolOf(lookup: Uint16Array): number {
    if (count < 16) fill();
    const found = lookup[(bits >>> (count - 16)) & 0xffff]!;
    const length = found >> 8;
    if (length === 0) throw damaged('a code that stands for nothing');
    count -= length;
    if (count < missing) throw damaged('a scan with too few pixels');
    return found & 0xff;
  }

  function skip(width: number): void {
    if (count < width) fill();
    count -= width;
    if (count < missing) throw damaged('a scan with too few pixels');
  }

  function block([dc, ac]: Block): void {
    skip(symbolOf(dc) & 15);
    for (let i = 1; i < 64; i += 1) {
      const symbol = symbolOf(ac);
      if ((symbol & 15) === 0 && symbol !== 0xf0) return;
      i += symbol >> 4;
      skip(symbol & 15);
    }
  }

  /** Only the rest of a byte may follow, then the marker, with any number of fill bytes. */
  function endAtMarker(): void {
    if (count - missing >= 8) throw badImage('nothing may follow the pixels of the JPEG');
    while (at < scan.to && bytes[at] === 0xff && bytes[at + 1] === 0xff) at += 1;
    if (at < scan.to && (bytes[at] !== 0xff || bytes[at + 1] === 0))
      throw badImage('nothing may follow the pixels of the JPEG');
    bits = 0;
    count = 0;
    missing = 0;
  }

  let restarts = 0;
  for (let unit = 0; unit < units; unit += 1) {
    if (scan.restart > 0 && unit > 0 && unit % scan.restart === 0) {
      endAtMarker();
      if (at >= scan.to || bytes[at + 1] !== 0xd0 + (restarts % 8)) throw damaged('a scan with a restart out of place');
      restarts += 1;
      at += 2;
    }
    for (const one of blocks) block(one);
  }
  endAtMarker();
  if (at < scan.to) throw badImage('nothing may follow the pixels of the JPEG');
}
