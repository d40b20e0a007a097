const orientationTag = 0x0112;

/** The orientation in an Exif block that begins with its TIFF header; 1 where it says none, or nothing sensible. */
export function readOrientation(tiff: Buffer): number {
  if (tiff.length < 14) return 1;
  const order = tiff.toString('latin1', 0, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const read16 = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const directory = order === 'II' ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  if (directory + 2 > tiff.length) return 1;
  const entries = read16(directory);
  for (let at = directory + 2, entry = 0; entry < entries && at + 12 <= tiff.length; entry += 1, at += 12) {
    if (read16(at) !== orientationTag) continue;
    const value = read16(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
