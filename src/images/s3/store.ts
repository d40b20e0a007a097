import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { parseImageFileName } from '../../domain/image/file-name.ts';
import type { ImageFile, ImageStore } from '../../domain/ports/image-store.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { imageNameForm } from '../files/folder-store.ts';
import { createS3Client, type S3Client, type S3ClientDeps, type S3Response } from './client.ts';
import { S3Error, unreachable } from './errors.ts';
import { parseS3Page } from './list.ts';
import { parseS3Location } from './location.ts';
import { createS3Metrics } from './metrics.ts';
import { readS3Object } from './read.ts';

/** Options of a store; by default a request has 10 s, and a page of a list 1000 objects. */
export interface S3StoreDeps
  extends Omit<S3ClientDeps, 'timeoutMs' | 'wait'>,
    Partial<Pick<S3ClientDeps, 'timeoutMs' | 'wait'>> {
  readonly pageSize?: number;
}

export interface S3Parts extends Pick<S3ClientDeps, 'credentials' | 'log' | 'nowMs'> {
  readonly metrics: Metrics;
}

/** Opens the object storage at an `s3://` address; returns the problem where it is no such address. Sends nothing yet. */
export function openS3Store(address: string, parts: S3Parts): ImageStore | { readonly problem: string } {
  const location = parseS3Location(address);
  if ('problem' in location) return location;
  return createS3Store({ ...parts, location, metrics: createS3Metrics(parts.metrics) });
}

/** The ImageStore port on a bucket of S3-compatible object storage: the object `<prefix><projectKey>/<file name>`. */
export function createS3Store(deps: S3StoreDeps): ImageStore {
  const { prefix } = deps.location;
  const client = createS3Client({ timeoutMs: 10_000, wait, ...deps });
  const keyOf = (name: string) => {
    if (!imageNameForm.test(name)) throw new Error(`not the name of an image: ${JSON.stringify(name)}`);
    return prefix + name;
  };

  function find(name: string): Promise<ImageFile | undefined> {
    const request = { operation: 'find', method: 'HEAD', key: keyOf(name), expected: [200, 404] } as const;
    return client.send(request, async (received) => {
      const { status, headers } = await finish(received);
      return status === 404 ? undefined : fileOf(name, headers);
    });
  }

  async function put(name: string, bytes: Uint8Array): Promise<boolean> {
    if (await find(name)) return false;
    const { request, md5 } = uploadOf(name, keyOf(name), bytes);
    const isDamaged = await client.send(request, async (received) =>
      hasOtherBytes((await finish(received)).headers, md5),
    );
    if (!isDamaged) return true;
    await remove(request.key).catch(() => false);
    deps.log.write('error', 'image-store-damaged', { name });
    throw unreachable();
  }

  function remove(key: string): Promise<boolean> {
    const request = { operation: 'delete', method: 'DELETE', key, expected: [200, 204, 404] } as const;
    return client.send(request, async (received) => (await finish(received)).status !== 404);
  }

  return {
    find: async (name) => find(name),
    put,
    read: (name, first, last) => readS3Object(client, keyOf(name), first, last),
    // The response to a DELETE does not tell whether there was such an object.
    delete: async (name) => (await find(name)) !== undefined && (await remove(keyOf(name))),
    list: () => listObjects(client, prefix, '', deps.pageSize ?? 1000),
    listProject: (projectKey) => listObjects(client, prefix, `${projectKey}/`, deps.pageSize ?? 1000),
  };
}

/** Reads a response to its end, so that the connection can be used again. */
async function finish({ response, deadline }: S3Response): Promise<Response> {
  await response.arrayBuffer();
  deadline.stop();
  return response;
}

function fileOf(name: string, headers: Headers): ImageFile {
  const sizeBytes = Number(headers.get('content-length') ?? Number.NaN);
  const storedAtMs = Date.parse(headers.get('last-modified') ?? '');
  if (Number.isNaN(sizeBytes) || Number.isNaN(storedAtMs)) {
    throw new S3Error('The image store sent no size or time of an object', { isTransient: false });
  }
  return { name, sizeBytes, storedAtMs };
}

/** One request with all bytes, and two digests that the storage verifies (decision 80). */
function uploadOf(name: string, key: string, bytes: Uint8Array) {
  const md5 = createHash('md5').update(bytes).digest();
  const headers = {
    'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
    'content-md5': md5.toString('base64'),
    'content-type': parseImageFileName(name.slice(name.indexOf('/') + 1))?.type ?? 'application/octet-stream',
  };
  const request = { operation: 'put', method: 'PUT', key, headers, body: bytes, expected: [200, 201, 204] } as const;
  return { request, md5: md5.toString('hex') };
}

/** The tag of an object is its MD5, unless it is encrypted with a key of a key management service. */
function hasOtherBytes(headers: Headers, md5: string): boolean {
  const tag = /^"?([0-9a-f]{32})"?$/.exec(headers.get('etag') ?? '')?.[1];
  const hasOtherTag = headers.get('x-amz-server-side-encryption')?.startsWith('aws:kms') === true;
  return tag !== undefined && !hasOtherTag && tag !== md5;
}

async function* listObjects(
  client: S3Client,
  prefix: string,
  within: string,
  pageSize: number,
): AsyncIterable<ImageFile> {
  const first = { 'list-type': '2', prefix: prefix + within, 'max-keys': String(pageSize) };
  let query: Readonly<Record<string, string>> = first;
  for (;;) {
    const { objects, next } = await client.send(
      { operation: 'list', method: 'GET', key: '', query, expected: [200] },
      readPage,
    );
    for (const { key, ...facts } of objects) {
      const name = key.slice(prefix.length);
      if (key.startsWith(prefix) && imageNameForm.test(name)) yield { name, ...facts };
    }
    if (next === undefined) return;
    query = { ...first, 'continuation-token': next };
  }
}

async function readPage({ response, deadline }: S3Response) {
  const text = await response.text();
  deadline.stop();
  return parseS3Page(text);
}
