import type { Variant, VariantPage } from '../dist/api-types.js';
import type { Requester } from './request.ts';

export interface UploadOptions {
  /** The variant, which is created by its first image. Default: variant 1. */
  readonly sku?: string;
  readonly variant?: number;
  /** The beginning of the file name in the URL. */
  readonly filename?: string;
  /** Default: true, which is for the staged projection only. */
  readonly staged?: boolean;
  /** `image/jpeg`, `image/png` or `image/gif`; default: the type of the blob. */
  readonly type?: string;
  /** Called as the bytes are sent. After a lost connection it begins again. */
  readonly onProgress?: (progress: { readonly sentBytes: number; readonly totalBytes: number }) => void;
  readonly signal?: AbortSignal;
}

export interface Images {
  /** Returns the variant with its new image. */
  upload(image: Blob, options?: UploadOptions): Promise<Variant>;
  /** The variants by number; with several SKUs (at most 100) those of them that exist, on one page. */
  list(options?: {
    readonly sku?: string | readonly string[];
    readonly variant?: number;
    readonly staged?: boolean;
    readonly limit?: number;
    readonly offset?: number;
    readonly signal?: AbortSignal;
  }): Promise<VariantPage>;
}

const path = '/resource/images';

export function createImages(request: Requester): Images {
  return {
    async upload(image, { type = image.type, onProgress, signal, ...query } = {}) {
      const totalBytes = image.size;
      const report = onProgress && ((sentBytes: number) => onProgress({ sentBytes, totalBytes }));
      const call = { method: 'POST', path, query, headers: { 'content-type': type }, body: image, signal } as const;
      return (await request({ ...call, onProgress: report, isIdempotent: true })).body as Variant;
    },
    async list({ signal, ...query } = {}) {
      return (await request({ path, query, signal })).body as VariantPage;
    },
  };
}
