import { type ImageType, imageFormats, imageTypes } from './format.ts';
import { type RenditionName, renditionNames } from './rendition.ts';

const maxBaseLength = 64;

/**
 * The name under which an image is kept and served. Of what the client called it only ASCII letters, digits, `_` and `-`
 * remain; the unique part makes it a name that never existed and that nobody can guess.
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

/** The name of the image that a rendition is of; undefined where the name is of no rendition. */
export function originalFileName(rendition: string): string | undefined {
  if (!parseImageFileName(rendition)?.isRendition) return undefined;
  return `${rendition.slice(0, rendition.lastIndexOf('-'))}${rendition.slice(rendition.lastIndexOf('.'))}`;
}

/** What a file name says. */
export interface ImageFileName {
  readonly type: ImageType;
  /** The unique part, and the rendition if it is one: never stands for other bytes. */
  readonly tag: string;
  readonly isRendition: boolean;
}

const form = new RegExp(
  `^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}-([0-9a-f]{32}(-(?:${renditionNames.join('|')}))?)\\.([a-z]+)$`,
);

/** Reads a name as `imageFileName` and `renditionFileName` make them; undefined for any other text. */
export function parseImageFileName(text: string): ImageFileName | undefined {
  const [, tag, rendition, extension] = form.exec(text) ?? [];
  const type = imageTypes.find((known) => imageFormats[known].extension === extension);
  return tag === undefined || type === undefined ? undefined : { type, tag, isRendition: rendition !== undefined };
}
