import type { Image, ImageRendition } from 'generic-resource-service-client/api-types';
/** The rendition for a small picture, if there is one. */
export function smallOf({ renditions }: Image): ImageRendition | undefined {
  return renditions.small ?? renditions.medium ?? renditions.thumb;
}

/** The name of an image as people know it: the file name of its address, without the part that cannot be guessed. */
export function fileNameOf({ url }: Image): string {
  const name = url.slice(url.lastIndexOf('/') + 1);
  return name.replace(/-[0-9a-f]{32}(?=\.)/, '');
}

/** Most characters of a label that the API takes. */
export const maxLabelChars = 500;

/** An update action on an image; which projection it changes is added when it is sent. */
export type ImageAction =
  | { readonly action: 'moveImageToPosition'; readonly imageUrl: string; readonly position: number }
  | { readonly action: 'removeImage'; readonly imageUrl: string }
  | { readonly action: 'setImageLabel'; readonly imageUrl: string; readonly label?: string };
