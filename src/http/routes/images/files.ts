import { ServiceError } from '../../../contract/errors.ts';
import { imageTypes, parseImageFileName } from '../../../domain/image/file-name.ts';
import type { ImageStore } from '../../../domain/ports/image-store.ts';
import type { ServedFile } from '../../../images/files/file-cache.ts';
import type { Images } from '../../../images/open-images.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';
import { entityTagsHeader, notModified } from '../headers.ts';
import { binarySchema } from './schemas.ts';

type ServedImages = Pick<Images, 'files' | 'findServed'>;

const binary = { schema: binarySchema };
const content = Object.fromEntries(imageTypes.map((type) => [type, binary]));
const headers = ['ETag', 'Cache-Control'];

/** The files of images. They need no token: knowing the URL is enough (decision 63). */
export function imageFileRoute(images: ServedImages): Route {
  return {
    operationId: 'getImageFile',
    method: 'GET',
    path: '/:projectKey/images/:file',
    tag: 'Images',
    summary: 'Get an image file',
    description:
      'The file of an image or of one of its renditions. No token is needed. The content at a URL never changes. A single byte range is supported.',
    access: 'public',
    headers: [
      entityTagsHeader('If-None-Match', 'Entity tags of cached files. Returns 304 if one of them matches.'),
      { name: 'Range', description: 'A single byte range, such as `bytes=0-1023`. Any other value is ignored.' },
      {
        name: 'If-Range',
        description: 'The entity tag that `Range` is for. If it does not match, `Range` is ignored.',
      },
    ],
    responses: {
      200: { description: 'The file.', content, headers },
      206: { description: 'The requested range of the file.', content, headers },
      304: { description: 'The cached file is current.', headers },
    },
    errors: ['ResourceNotFound', 'RangeNotSatisfiable', 'OverCapacity'],
    handler: (request) => getFile(images, request),
  };
}

async function getFile(images: ServedImages, request: ApiRequest): Promise<HttpResponse> {
  const { projectKey, params } = request;
  const name = params.file ?? '';
  const parsed = parseImageFileName(name);
  if (!parsed) throw fileNotFound();
  const etag = `"${parsed.tag}"`;
  const file = await images.findServed(`${projectKey}/${name}`);
  if (!file) throw fileNotFound();
  const caching = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
  const own = { 'content-type': parsed.type, ...caching, ...fileHeaders(name) };
  return notModified(request, caching) ?? fileResponse(images.files, file, request, own);
}

const fileNotFound = () => new ServiceError('ResourceNotFound', 'There is no image at this path.');

/** If a browser opens the URL itself, nothing in a file that pretends to be an image can run. */
function fileHeaders(name: string) {
  return {
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="${name}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  };
}

function fileResponse(
  files: ImageStore,
  file: ServedFile,
  { method, headers: sent }: ApiRequest,
  own: Readonly<Record<string, string>> & { readonly etag: string },
): HttpResponse {
  const { name, sizeBytes, content: cached } = file;
  // Range has a meaning for GET only, and with If-Range only if the file is the same (RFC 9110 §§13.1.5, 14.2).
  const usesRange = method === 'GET' && (sent['if-range'] === undefined || sent['if-range'] === own.etag);
  const range = usesRange ? parseRange(sent.range, sizeBytes) : undefined;
  if (range === 'unsatisfiable') {
    const message = `Range ${sent.range}: the image has only ${sizeBytes} bytes.`;
    throw new ServiceError('RangeNotSatisfiable', message, {}, { 'content-range': `bytes */${sizeBytes}` });
  }
  const { first, last } = range ?? { first: 0, last: sizeBytes - 1 };
  const status = range ? 206 : 200;
  const fields = range ? { ...own, 'content-range': `bytes ${first}-${last}/${sizeBytes}` } : own;
  if (cached) return { status, headers: fields, body: range ? cached.subarray(first, last + 1) : cached };
  const stream = { sizeBytes: last - first + 1, open: () => files.read(name, first, last) };
  return { status, headers: fields, body: '', stream };
}

/**
 * Parses the Range header for a file of at least one byte (RFC 9110 §14): the bytes from `first` to `last`, both included.
 * Returns undefined if the whole file is to be sent: without the header, for another unit, for several ranges, and for a malformed range.
 */
export function parseRange(header: string | undefined, sizeBytes: number) {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    // A suffix range: the last n bytes.
    return Number(to) === 0 ? 'unsatisfiable' : { first: Math.max(0, sizeBytes - Number(to)), last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first < sizeBytes ? { first, last } : 'unsatisfiable';
}
