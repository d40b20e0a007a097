import type { S3Client, S3Response } from './client.ts';
import { S3Error, unreachable } from './errors.ts';

/** How often an interrupted read is resumed. */
const maxBreaks = 3;

/**
 * The bytes of an object from `first` to `last`, both included. An interrupted read is resumed, since objects never
 * change. Throws `ServiceError`, or another error where there is no such object.
 */
export async function* readS3Object(
  client: S3Client,
  key: string,
  first: number,
  last: number,
): AsyncIterable<Uint8Array> {
  let at = first;
  for (let breaks = 0; at <= last; breaks += 1) {
    if (breaks > maxBreaks) throw unreachable();
    const response = await open(client, key, at, last);
    try {
      for await (const chunk of chunksOf(response)) {
        at += chunk.length;
        if (at > last + 1) throw new S3Error('The image store sent more than the range', { isTransient: false });
        yield chunk;
      }
    } catch (error) {
      if (error instanceof S3Error) throw error;
    }
  }
}

async function open(client: S3Client, key: string, first: number, last: number): Promise<S3Response> {
  const headers = { range: `bytes=${first}-${last}` };
  const request = { operation: 'read', method: 'GET', key, headers, expected: [200, 206, 404] } as const;
  const opened = await client.send(request, async (received) => {
    checkRange(received.response, first, last);
    return received;
  });
  if (opened.response.status !== 404) return opened;
  opened.deadline.stop();
  await opened.response.body?.cancel();
  throw new Error(`the image ${key} is gone`);
}

/** A server may ignore a range (RFC 9110 §14.2): that is fine where the range is the whole object. */
function checkRange({ status, headers }: Response, first: number, last: number): void {
  if (status === 404) return;
  const length = headers.get('content-length');
  if (length === String(last - first + 1) && (status === 206 || first === 0)) return;
  throw new S3Error(`The image store answered ${status} with ${length} bytes to a range`, {
    status,
    isTransient: false,
  });
}

/** The deadline is for the storage, not for the reader. */
async function* chunksOf({ response, deadline }: S3Response): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of response.body ?? []) {
      deadline.stop();
      yield chunk;
      deadline.restart();
    }
  } finally {
    deadline.stop();
  }
}
