import type { S3Client, S3Response } from './client.ts';
import { S3Error, unreachable } from './errors.ts';

/** How often a read goes on behind a break before it is given up. */
const maxBreaks = 3;

/**
 * The bytes of an object from `first` to `last`, both included. Breaks are mended by asking for the rest: an object
 * never changes. Throws `ServiceError`, or a fault where there is no such object.
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
    const answer = await open(client, key, at, last);
    try {
      for await (const chunk of chunksOf(answer)) {
        at += chunk.length;
        if (at > last + 1) throw new S3Error('The image store answered more than a range', { isTransient: false });
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
  const answer = await client.send(request, async (opened) => {
    checkRange(opened.response, first, last);
    return opened;
  });
  if (answer.response.status !== 404) return answer;
  answer.deadline.stop();
  await answer.response.body?.cancel();
  throw new Error(`the image ${key} is gone`);
}

/** A range may be answered as a whole (RFC 9110 §14.2): usable only where it is the whole. */
function checkRange({ status, headers }: Response, first: number, last: number): void {
  if (status === 404) return;
  const length = headers.get('content-length');
  if (length === String(last - first + 1) && (status === 206 || first === 0)) return;
  throw new S3Error(`The image store answered ${status} with ${length} bytes to a range`, {
    status,
    isTransient: false,
  });
}

/** Whoever reads may take their time; the storage may not. */
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
