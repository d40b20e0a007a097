import type { Image, ImageRendition } from 'generic-resource-service-client/api-types';
/** The rendition for a small picture, if there is one. */
export function smallOf({ renditions }: Image): ImageRendition | undefined {
  return renditions.small ?? renditions.medium ?? renditions.thumb;
}

/** The state of an image as a whole: that of its renditions which are least ready. */
export function stateOf({ renditions }: Image): ImageRendition['status'] {
  const statuses = new Set(Object.values(renditions).map((rendition) => rendition?.status));
  if (statuses.has('failed')) return 'failed';
  return statuses.has('pending') ? 'pending' : 'ready';
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

/** Why renditions of an image could not be made, '' where that is not known; undefined where none failed. */
export function reasonOf({ renditions }: Image): string | undefined {
  const failed = Object.values(renditions).find((rendition) => rendition?.status === 'failed');
  return failed && (failed.reason ?? '');
}
