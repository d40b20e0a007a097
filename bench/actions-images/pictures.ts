import sharp from 'sharp';

const seed = 0x9e3779b9;

/** Bytes that no coding makes shorter, the same in each run. */
function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let i = 0; i < length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 0xff;
  }
  return bytes;
}

/** Soft shapes and grain over them: as many edges as a photograph has, and about as many bytes. */
export async function photograph(w: number, h: number): Promise<Buffer> {
  const raw = (width: number, height: number) => ({ raw: { width, height, channels: 3 as const } });
  const shapes = await sharp(noise(48 * 32 * 3), raw(48, 32))
    .resize(w, h, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer();
  const grain = noise(w * h * 3);
  for (let i = 0; i < shapes.length; i += 1) {
    shapes[i] = Math.min(255, Math.max(0, shapes[i]! + ((grain[i]! - 128) >> 3)));
  }
  return sharp(shapes, raw(w, h)).jpeg({ quality: 85 }).toBuffer();
}

/** A PNG of about the given size: noise, three bytes a pixel. */
export function pngOfBytes(length: number): Promise<Buffer> {
  const side = Math.round(Math.sqrt(length / 3));
  return sharp(noise(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}
