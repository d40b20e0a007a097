import { type RenditionName, renditionNames } from './rendition.ts';

/** The accepted formats of images (decision 25), by media type. */
export const imageFormats = {
  'image/jpeg': { name: 'JPEG', extension: 'jpg' },
  'image/png': { name: 'PNG', extension: 'png' },
  'image/gif': { name: 'GIF', extension: 'gif' },
} as const;

export type ImageType = keyof typeof imageFormats;

export const imageTypes = Object.keys(imageFormats) as readonly ImageType[];

/** The format that a Content-Type names; undefined for any other. Parameters of the type are ignored. */
export function imageTypeOf(contentType: string): ImageType | undefined {
  const type = contentType.split(';', 1)[0]!.trim().toLowerCase();
  return imageTypes.find((known) => known === type);
}

const maxBaseLength = 64;

/**
 * The name under which an image is stored and served. Of the client's file name only ASCII letters, digits, `_` and `-`
 * remain; the unique part makes it new and impossible to guess.
 */
export function imageFileName(filename: string | undefined, uuid: string, type: ImageType): string {
  return `${cleanBase(filename ?? '')}-${uuid.replaceAll('-', '')}.${imageFormats[type].extension}`;
}

function cleanBase(filename: string): string {
  const last = filename.split(/[/\\]/).at(-1)!;
  const dot = last.lastIndexOf('.');
  const ascii = (dot > 0 ? last.slice(0, dot) : last).normalize('NFKD').replace(/\p{M}/gu, '');
  const trim = (text: string) => text.replace(/^-+|-+$/g, '');
  return trim(trim(ascii.replace(/[^A-Za-z0-9_]+/g, '-')).slice(0, maxBaseLength)) || 'image';
}

/** The name of a rendition of an image. */
export function renditionFileName(file: string, rendition: RenditionName): string {
  const dot = file.lastIndexOf('.');
  return `${file.slice(0, dot)}-${rendition}${file.slice(dot)}`;
}

/** The name of the image of a rendition; undefined if the name is not that of a rendition. */
export function originalFileName(rendition: string): string | undefined {
  if (!parseImageFileName(rendition)?.isRendition) return undefined;
  return `${rendition.slice(0, rendition.lastIndexOf('-'))}${rendition.slice(rendition.lastIndexOf('.'))}`;
}

const form = new RegExp(
  `^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}-([0-9a-f]{32}(-(?:${renditionNames.join('|')}))?)\\.([a-z]+)$`,
);

/**
 * Parses a name made by `imageFileName` or `renditionFileName`; undefined for any other text. `tag`: the unique part, with the
 * rendition if it is one. It always means the same bytes.
 */
export function parseImageFileName(text: string) {
  const [, tag, rendition, extension] = form.exec(text) ?? [];
  const type = imageTypes.find((known) => imageFormats[known].extension === extension);
  return tag === undefined || type === undefined ? undefined : { type, tag, isRendition: rendition !== undefined };
}
