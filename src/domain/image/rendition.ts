/** Renditions and the length of their longer side in pixels, the smallest first (decision 25). */
export const renditionSizes = { thumb: 50, small: 150, medium: 400, large: 700, zoom: 1400 } as const;

export type RenditionName = keyof typeof renditionSizes;

export const renditionNames = Object.keys(renditionSizes) as readonly RenditionName[];

/** Width and height in pixels; of an animation, those of one frame. */
export interface Dimensions {
  readonly w: number;
  readonly h: number;
}

/** The dimensions of a picture scaled down to a longer side of at most that length. A picture is never enlarged. */
export function fitInside({ w, h }: Dimensions, longerSide: number): Dimensions {
  const scale = longerSide / Math.max(w, h);
  if (scale >= 1) return { w, h };
  const scaled = (side: number) => Math.max(1, Math.round(side * scale));
  return { w: scaled(w), h: scaled(h) };
}

/** The renditions of a picture of these dimensions. `isOriginal`: it is small enough to be its own rendition. */
export function planRenditions(dimensions: Dimensions) {
  return renditionNames.map((name) => ({
    name,
    dimensions: fitInside(dimensions, renditionSizes[name]),
    isOriginal: Math.max(dimensions.w, dimensions.h) <= renditionSizes[name],
  }));
}
