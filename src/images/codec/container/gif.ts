import { badImage, createRanges, type ImageStructure, type Range } from './structure.ts';

const block = { extension: 0x21, image: 0x2c, trailer: 0x3b } as const;
const extension = { plainText: 0x01, control: 0xf9, application: 0xff } as const;

const cutOff = () => badImage('the GIF is cut off; expected a whole one');

/** Parses all blocks of a GIF; what follows the last one is left out. Throws 400 at the first thing that is wrong. */
export function inspectGif(bytes: Buffer): ImageStructure {
  if (bytes.length < 13) throw cutOff();
  const dimensions = { w: bytes.readUInt16LE(6), h: bytes.readUInt16LE(8) };
  if (dimensions.w === 0 || dimensions.h === 0) throw badImage('the GIF has no dimensions');
  const ranges = createRanges();
  let at = 13 + colourTableLength(bytes[10]!);
  ranges.keep(0, at);
  let frames = 0;
  // How to show the frame after it. Where that is a plain text, both are left out.
  let control: Range | undefined;
  while (bytes[at] !== block.trailer) {
    const from = at;
    if (bytes[at] === block.image) {
      at = endOfFrame(bytes, at, dimensions);
      if (control) ranges.keep(control.from, control.to);
      ranges.keep(from, at);
      control = undefined;
      frames += 1;
    } else if (bytes[at] === block.extension) {
      at = endOfBlocks(bytes, at + 2);
      const label = bytes[from + 1];
      if (label === extension.control) control = controlOf(bytes, from, at);
      else if (label === extension.plainText) control = undefined;
      if (isLoop(bytes, from, at)) ranges.keep(from, at);
      else ranges.leaveOut();
    } else {
      throw at >= bytes.length ? cutOff() : badImage('the GIF is damaged: expected a block');
    }
  }
  if (frames === 0) throw badImage('expected a GIF with a picture in it');
  ranges.keep(at, at + 1);
  // Two frames in red, green, blue and alpha: a frame is drawn onto the one before it.
  const decodedBytes = 8 * dimensions.w * dimensions.h;
  return { dimensions, frames, orientation: 1, decodedBytes, kept: ranges.all() };
}

/** The length of the colour table that these flags announce. */
function colourTableLength(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1);
}

function endOfFrame(bytes: Buffer, at: number, canvas: ImageStructure['dimensions']): number {
  if (at + 11 > bytes.length) throw cutOff();
  const [left, top] = [bytes.readUInt16LE(at + 1), bytes.readUInt16LE(at + 3)];
  const [width, height] = [bytes.readUInt16LE(at + 5), bytes.readUInt16LE(at + 7)];
  // A decoder might enlarge the canvas for it, beyond what the limits saw.
  if (left + width > canvas.w || top + height > canvas.h) throw badImage('the GIF has a frame outside of its canvas');
  // One byte for the size of the first code, then the compressed pixels.
  return endOfBlocks(bytes, at + 10 + colourTableLength(bytes[at + 9]!) + 1);
}

/** The position after a sequence of blocks, each preceded by its length, the last one empty. */
function endOfBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) throw cutOff();
    at += 1 + length;
    if (length === 0) return at;
  }
}

/** The extension that says how to show a frame. */
function controlOf(bytes: Buffer, from: number, to: number): Range {
  if (to - from !== 8 || bytes[from + 2] !== 4)
    throw badImage('the GIF is damaged: expected a control block of 4 bytes');
  return { from, to };
}

/** True for the extension that says how often an animation is repeated, in its usual form. */
function isLoop(bytes: Buffer, from: number, to: number): boolean {
  if (bytes[from + 1] !== extension.application || to - from !== 19 || bytes[from + 14] !== 3) return false;
  const name = bytes.toString('latin1', from + 3, from + 14);
  return name === 'NETSCAPE2.0' || name === 'ANIMEXTS1.0';
}
