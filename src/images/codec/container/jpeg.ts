import type { Dimensions } from '../../../domain/image/rendition.ts';
import { badImage, createRanges, type ImageStructure, readOrientation } from './structure.ts';

/** Progressive files have about ten scans; each costs a pass over the whole picture. */
const maxScans = 100;

const marker = { eoi: 0xd9, sos: 0xda, dqt: 0xdb, dht: 0xc4, dri: 0xdd, app1: 0xe1 } as const;

/** Baseline, extended and progressive Huffman coding, which every browser and decoder supports. */
const frameHeaders: readonly number[] = [0xc0, 0xc1, 0xc2];
const progressive = 0xc2;
const pictureMarkers: readonly number[] = [...frameHeaders, marker.dqt, marker.dht, marker.dri, marker.sos, marker.eoi];

/**
 * Parses all segments and scans of a JPEG up to its end marker. Bytes after the marker do not belong to the picture and are dropped: phones append
 * a gain map, a short film or padding. Throws 400 at the first thing that is wrong.
 */
export function inspectJpeg(bytes: Buffer): ImageStructure {
  const ranges = createRanges();
  ranges.keep(0, 2);
  let dimensions: Dimensions | undefined;
  let orientation = 1;
  let scans = 0;
  let decodedBytes = 0;
  let components = 3;
  for (let at = 2, code = 0; code !== marker.eoi; ) {
    const segment = segmentAt(bytes, at);
    const { data } = segment;
    code = segment.marker;
    at = code === marker.sos ? endOfScan(bytes, segment.to) : segment.to;
    if (frameHeaders.includes(code)) {
      if (dimensions !== undefined) throw badImage('the JPEG has two frames');
      dimensions = readDimensions(data);
      components = data[5]!;
      if (code === progressive) decodedBytes = coefficientBytes(data, dimensions);
    } else if (code >= 0xc0 && code <= 0xcf && code !== marker.dht) {
      throw badImage('expected a JPEG in baseline or progressive Huffman coding');
    } else if (code === marker.app1 && data.toString('latin1', 0, 6) === 'Exif\0\0') {
      orientation = readOrientation(data.subarray(6));
    } else if (code === marker.sos) {
      scans += 1;
      if (dimensions === undefined) throw badImage('the JPEG has a scan before its frame');
      if (scans > maxScans) throw badImage(`the JPEG has more than ${maxScans} scans`);
    }
    if (isPicture(code, data)) ranges.keep(segment.from, at);
    else ranges.leaveOut();
  }
  if (dimensions === undefined || scans === 0) throw badImage('expected a JPEG with a picture in it');
  // A picture is turned with all of its pixels in memory, a byte for each component.
  if (orientation > 1) decodedBytes += dimensions.w * dimensions.h * components;
  return { dimensions, frames: 1, orientation, decodedBytes, kept: ranges.all() };
}

/** All scans of a progressive file add to coefficients of two bytes; of most files colours have fewer than light. */
function coefficientBytes(frame: Buffer, { w, h }: Dimensions): number {
  const factors = Array.from({ length: frame[5]! }, (_, at) => {
    const factor = frame[7 + 3 * at]!;
    return [factor >> 4, factor & 15] as const;
  });
  const [widest, highest] = [0, 1].map((side) => Math.max(1, ...factors.map((each) => each[side]!)));
  return 2 * w * h * factors.reduce((sum, [across, down]) => sum + (across * down) / (widest! * highest!), 0);
}

const cutOff = () => badImage('the JPEG is cut off; expected a whole one');

function segmentAt(bytes: Buffer, at: number) {
  let from = at;
  if (bytes[from] !== 0xff) throw from >= bytes.length ? cutOff() : badImage('the JPEG is damaged: expected a marker');
  // Any number of fill bytes may stand before a marker.
  while (bytes[from + 1] === 0xff) from += 1;
  const code = bytes[from + 1];
  if (code === marker.eoi) return { marker: code, from, to: from + 2, data: bytes.subarray(0, 0) };
  if (from + 4 > bytes.length) throw cutOff();
  if (code === undefined || code < 0xc0 || (code >= 0xd0 && code <= 0xd8))
    throw badImage('the JPEG has a marker out of place');
  const length = bytes.readUInt16BE(from + 2);
  const to = from + 2 + length;
  if (length < 2) throw badImage('the JPEG has a segment of no length');
  if (to > bytes.length) throw cutOff();
  return { marker: code, from, to, data: bytes.subarray(from + 4, to) };
}

/** Of a frame header: six bytes, then three for each of its components. */
function readDimensions(data: Buffer): Dimensions {
  if (data.length < 9 || data.length !== 6 + 3 * data[5]!)
    throw badImage('the JPEG has a frame header of wrong length');
  const dimensions = { w: data.readUInt16BE(3), h: data.readUInt16BE(1) };
  if (dimensions.w === 0 || dimensions.h === 0) throw badImage('the JPEG has no dimensions');
  return dimensions;
}

/** The position after a scan: of the first marker that is neither a restart nor a stuffed byte. */
function endOfScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1];
    if (next === undefined) break;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  throw cutOff();
}

/** True for tables, frame, scans and colour information. Left out: Exif, XMP, IPTC, comments, previews. */
function isPicture(code: number, data: Buffer): boolean {
  if (pictureMarkers.includes(code)) return true;
  const name = (length: number) => data.toString('latin1', 0, length);
  // A longer JFIF segment contains a preview.
  if (code === 0xe0) return name(5) === 'JFIF\0' && data.length === 14;
  if (code === 0xe2) return name(12) === 'ICC_PROFILE\0';
  return code === 0xee && name(5) === 'Adobe' && data.length === 12;
}
