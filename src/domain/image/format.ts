/** The formats of images that are taken (decision 25), by media type. */
export const imageFormats = {
  'image/jpeg': { name: 'JPEG', extension: 'jpg' },
  'image/png': { name: 'PNG', extension: 'png' },
  'image/gif': { name: 'GIF', extension: 'gif' },
} as const;

export type ImageType = keyof typeof imageFormats;

export const imageTypes = Object.keys(imageFormats) as readonly ImageType[];

/** The format that a Content-Type names; undefined for any other. Parameters of the type mean nothing here. */
export function imageTypeOf(contentType: string): ImageType | undefined {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return imageTypes.find((known) => known === type);
}
