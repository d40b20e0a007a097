import type { Sharp } from 'sharp';
import type { Dimensions } from '../../domain/image/rendition.ts';

/** Gives a picture, as it comes from its file, other dimensions of the same proportions. */
export type Scale = (picture: Sharp, to: Dimensions) => Sharp;

/** For pictures of which the decoder gives all. */
export const scaleAll: Scale = (picture, { w, h }) => picture.resize(w, h, { fit: 'fill' });

const transparent = { r: 0, g: 0, b: 0, alpha: 0 };

/**
 * How a GIF is scaled. The decoder does not believe some dimensions, as 640 × 480 and all beyond 2048: then it gives only
 * the part that has frames, from the upper left corner on. The rest is transparent, as browsers show it.
 */
export async function scaleOfGif(picture: Sharp, canvas: Dimensions): Promise<Scale> {
  const { width, height, pageHeight = height } = await picture.metadata();
  if (width === canvas.w && pageHeight === canvas.h) return scaleAll;
  return (decoded, to) => {
    const w = Math.max(1, Math.round((width * to.w) / canvas.w));
    const h = Math.max(1, Math.round((pageHeight * to.h) / canvas.h));
    return scaleAll(decoded, { w, h }).extend({ right: to.w - w, bottom: to.h - h, background: transparent });
  };
}
