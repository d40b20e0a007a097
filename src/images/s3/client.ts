import { AwsV4Signer } from 'aws4fetch';
import type { Log } from '../../telemetry/log.ts';
import { noResponse, readError, refusalFor, S3Error, unreachable } from './errors.ts';
import type { S3Location } from './location.ts';
import type { S3Metrics, S3Operation } from './metrics.ts';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

export interface S3ClientDeps {
  readonly location: S3Location;
  readonly credentials: S3Credentials;
  readonly log: Log;
  readonly metrics: S3Metrics;
  readonly nowMs: () => number;
  /** For a request without its body, and for each part of a long response. */
  readonly timeoutMs: number;
  /** Waits before a request is sent again. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** A request that may be sent more than once. A store of images needs no other. */
export interface S3Request {
  readonly operation: S3Operation;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Key of an object; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** All other statuses are errors. */
  readonly expected: readonly number[];
}

export interface S3Response {
  readonly response: Response;
  readonly deadline: Deadline;
}

export type S3Client = ReturnType<typeof createS3Client>;

const maxAttempts = 3;
const firstWaitMs = 100;
/** After a request has failed for good, all others fail at once for this long, rather than each finding out by itself. */
const pauseMs = 1000;
/** A body adds the time it takes at 256 KiB a second. */
const bodyBytesPerMs = 256;

/**
 * Makes a client that sends signed requests (AWS Signature Version 4), and repeats them where that may help. Nothing is sent
 * before the first request.
 */
export function createS3Client(deps: S3ClientDeps) {
  const { log, metrics, nowMs, wait } = deps;
  const signingKeys = new Map<string, ArrayBuffer>();
  let pausedUntilMs = 0;

  async function sendOnce<T>(request: S3Request, use: (response: S3Response) => Promise<T>): Promise<T> {
    const deadline = startDeadline(deps.timeoutMs + (request.body?.length ?? 0) / bodyBytesPerMs);
    const done = metrics.begin(request.operation);
    let response: Response | undefined;
    try {
      const { url, init } = await signed(deps, request, signingKeys);
      response = await fetch(url, { ...init, signal: deadline.signal, redirect: 'manual' });
      if (!request.expected.includes(response.status)) throw await readError(response);
      const used = await use({ response, deadline });
      done(true);
      return used;
    } catch (error) {
      deadline.stop();
      done(false);
      // An unread body would keep its connection. One that is being read cannot be cancelled here.
      await response?.body?.cancel().catch(() => {});
      throw error instanceof S3Error ? error : noResponse(error);
    }
  }

  function giveUp(request: S3Request, error: S3Error): never {
    if (error.isTransient) pausedUntilMs = nowMs() + pauseMs;
    const { isTransient, status, code } = error;
    log.write(isTransient ? 'warn' : 'error', 'image-store-failed', {
      operation: request.operation,
      status,
      code,
      error,
    });
    throw refusalFor(error);
  }

  return {
    /**
     * Resolves to what `use` returns for the response; `use` reads its body, or takes over its deadline.
     * Throws `ServiceError` 503 or 507 after logging the cause.
     */
    async send<T>(request: S3Request, use: (response: S3Response) => Promise<T>): Promise<T> {
      if (nowMs() < pausedUntilMs) throw unreachable();
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendOnce(request, use);
        } catch (error) {
          if (!(error as S3Error).isTransient || attempt === maxAttempts) giveUp(request, error as S3Error);
          // Jitter, so that requests that failed together are not repeated together.
          await wait(firstWaitMs * 4 ** (attempt - 1) * (0.5 + Math.random()));
        }
      }
    },
  };
}

/** The SHA-256 of an empty body. */
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

async function signed(
  { location, credentials, nowMs }: S3ClientDeps,
  { method, key, query = {}, headers = {}, body }: S3Request,
  cache: Map<string, ArrayBuffer>,
): Promise<{ readonly url: URL; readonly init: RequestInit }> {
  const url = new URL(key === '' ? location.bucketUrl : `${location.bucketUrl}/${key}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const { accessKeyId, secretAccessKey, sessionToken } = credentials;
  const signer = new AwsV4Signer({
    method,
    url: url.href,
    accessKeyId,
    secretAccessKey,
    cache,
    service: 's3',
    region: location.region,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    headers: { 'x-amz-content-sha256': emptySha256, ...headers },
    datetime: new Date(nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  });
  const sent = await signer.sign();
  // Not signed, since proxies change it. Without it fetch would accept compressed responses.
  sent.headers.set('accept-encoding', 'identity');
  return { url: sent.url, init: { method, headers: sent.headers, ...(body === undefined ? {} : { body }) } };
}

type Deadline = ReturnType<typeof startDeadline>;

/** Aborts its signal when nothing has happened in time. After `stop` there is no deadline until it is started again, whole. */
function startDeadline(timeoutMs: number) {
  const controller = new AbortController();
  const begin = () => setTimeout(() => controller.abort(new Error(`nothing arrived for ${timeoutMs} ms`)), timeoutMs);
  let timer = begin();
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = begin();
  };
  const signal: AbortSignal = controller.signal;
  return { signal, stop, restart };
}
