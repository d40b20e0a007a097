import { ServiceError } from '../../../contract/errors.ts';
import { parseImageFileName } from '../../../domain/image/file-name.ts';
import { imageTypes } from '../../../domain/image/format.ts';
import type { Eventually } from '../../../domain/ports/eventually.ts';
import type { ImageStore } from '../../../domain/ports/image-store.ts';
import { parsePreconditions } from '../../../domain/resource/write/preconditions.ts';
import type { ServedFile } from '../../../images/files/file-cache.ts';
import type { Images } from '../../../images/open-images.ts';
import type { ApiRequest, HttpResponse, Route } from '../../route.ts';

export const imageTag = 'Images';

const binary = { type: 'string', contentEncoding: 'binary' };

type ServedImages = Pick<Images, 'files' | 'findServed'>;

/** The files of images, for everybody who has their address (decision 63). */
export function imageFileRoute(images: ServedImages): Route {
  return {
    operationId: 'getImageFile',
    method: 'GET',
    path: '/:projectKey/images/:file',
    tag: imageTag,
    summary: 'Get an image or one of its renditions',
    description: 'Needs no token. What an address stands for never changes. One range can be asked for.',
    access: 'public',
    headers: [
      { name: 'If-None-Match', description: 'Entity tags that the client has; 304 where one is that of the file.' },
      { name: 'Range', description: 'One range of bytes, such as `bytes=0-1023`; anything else is ignored.' },
      { name: 'If-Range', description: 'The entity tag that the range is of; with another one all is answered.' },
    ],
    responses: {
      200: { description: 'The file.', content: imageContent, headers: ['ETag', 'Cache-Control'] },
      206: { description: 'The range asked for.', content: imageContent, headers: ['ETag', 'Cache-Control'] },
      304: { description: 'The client has it.', headers: ['ETag', 'Cache-Control'] },
    },
    errors: ['ResourceNotFound', 'RangeNotSatisfiable', 'OverCapacity'],
    handler: (request) => answerFile(images, request),
  };
}

const imageContent = Object.fromEntries(imageTypes.map((type) => [type, { schema: binary }]));

function answerFile(images: ServedImages, request: ApiRequest): Eventually<HttpResponse> {
  const { projectKey, params, method, headers: sent } = request;
  const name = params.file ?? '';
  const parsed = parseImageFileName(name);
  if (!parsed) throw nothingHere();
  const etag = `"${parsed.tag}"`;
  const isKnown = hasTag(sent['if-none-match'], etag);
  const answer = (file: ServedFile | undefined): HttpResponse => {
    if (!file) throw nothingHere();
    const headers = { etag, 'cache-control': 'public, max-age=31536000, immutable' };
    if (isKnown) return { status: 304, headers, body: '' };
    return answerBytes(images.files, file, request, { ...headers, ...fileHeaders(name) }, parsed.type);
  };
  const found = images.findServed(`${projectKey}/${name}`, method === 'GET' && !isKnown ? 'content' : 'facts');
  return found instanceof Promise ? found.then(answer) : answer(found);
}

const nothingHere = () => new ServiceError('ResourceNotFound', 'There is no image at this path.');

/** For a browser that opens the address itself: nothing in a file that poses as an image can do anything. */
function fileHeaders(name: string) {
  return {
    'accept-ranges': 'bytes',
    'content-disposition': `inline; filename="${name}"`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  };
}

function hasTag(condition: string | undefined, etag: string): boolean {
  if (condition === undefined) return false;
  const { ifNoneMatch } = parsePreconditions(undefined, condition);
  return ifNoneMatch === '*' || (ifNoneMatch?.some(({ tag }) => tag === etag) ?? false);
}

function answerBytes(
  files: ImageStore,
  file: ServedFile,
  { method, headers: sent }: ApiRequest,
  headers: Readonly<Record<string, string>> & { readonly etag: string },
  contentType: string,
): HttpResponse {
  const { sizeBytes } = file;
  // A range has a meaning for GET only, and with If-Range only while the file is the same (RFC 9110 §§13.1.5, 14.2).
  const isAsked = method === 'GET' && (sent['if-range'] === undefined || sent['if-range'] === headers.etag);
  const range = isAsked ? parseRange(sent.range, sizeBytes) : undefined;
  if (range === 'unsatisfiable') {
    const message = `Range ${sent.range}: the image has only ${sizeBytes} bytes.`;
    throw new ServiceError('RangeNotSatisfiable', message, {}, { 'content-range': `bytes */${sizeBytes}` });
  }
  const bytes = bytesOf(files, file, range ?? { first: 0, last: sizeBytes - 1 });
  if (range === undefined) return { status: 200, headers, ...bytes, contentType };
  const contentRange = { 'content-range': `bytes ${range.first}-${range.last}/${sizeBytes}` };
  return { status: 206, headers: { ...headers, ...contentRange }, ...bytes, contentType };
}

function bytesOf(
  files: ImageStore,
  file: ServedFile,
  { first, last }: ByteRange,
): Pick<HttpResponse, 'body' | 'stream'> {
  const { name, sizeBytes, content } = file;
  if (content === undefined) {
    return { body: '', stream: { sizeBytes: last - first + 1, open: () => files.read(name, first, last) } };
  }
  return { body: last - first + 1 === sizeBytes ? content : content.subarray(first, last + 1) };
}

/** Bytes of a file from `first` to `last`, both included. */
interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * Reads a Range header for a file that has at least one byte (RFC 9110 §14). Undefined where all of it is to be
 * answered: without the header, for another unit, for several ranges, and for what is no range at all.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') return lastBytes(Number(to), sizeBytes);
  const first = Number(from);
  const last = to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first < sizeBytes ? { first, last } : 'unsatisfiable';
}

function lastBytes(length: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  return length === 0 ? 'unsatisfiable' : { first: Math.max(0, sizeBytes - length), last: sizeBytes - 1 };
}
