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
  /** Time of a request without its body, and of each part of a long answer. */
  readonly timeoutMs: number;
  /** Waits before a request is sent again. */
  readonly wait: (ms: number) => Promise<unknown>;
}

/** A request that may be sent more than once: all that a store of images needs are such. */
export interface S3Request {
  readonly operation: S3Operation;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Of an object; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The statuses that are answers; all others are failures. */
  readonly expected: readonly number[];
}

export interface S3Response {
  readonly response: Response;
  readonly deadline: Deadline;
  /** 1 for the first time the request was sent. */
  readonly attempt: number;
}

/** Sends signed requests (AWS Signature Version 4), again where that may help. */
export interface S3Client {
  /**
   * Resolves to what `use` makes of the answer; `use` reads its body, or goes on with the deadline.
   * Throws `ServiceError` 503 or 507, which is logged.
   */
  send<T>(request: S3Request, use: (answer: S3Response) => Promise<T>): Promise<T>;
}

const maxAttempts = 3;
const firstWaitMs = 100;
/** After a request that failed for good, all fail at once for so long: else each would wait for what was just found out. */
const pauseMs = 1000;
/** What a body is given beside `timeoutMs`: the time at 256 KiB a second. */
const bodyBytesPerMs = 256;

/** Makes a client. Nothing is sent before the first request. */
export function createS3Client(deps: S3ClientDeps): S3Client {
  const { log, metrics, nowMs, wait } = deps;
  const signingKeys = new Map<string, ArrayBuffer>();
  let pausedUntilMs = 0;

  async function sendOnce<T>(request: S3Request, attempt: number, use: (answer: S3Response) => Promise<T>): Promise<T> {
    const deadline = startDeadline(deps.timeoutMs + (request.body?.length ?? 0) / bodyBytesPerMs);
    const done = metrics.begin(request.operation);
    let response: Response | undefined;
    try {
      const { url, init } = await signed(deps, request, signingKeys);
      response = await fetch(url, { ...init, signal: deadline.signal, redirect: 'manual' });
      if (!request.expected.includes(response.status)) throw await readError(response);
      const used = await use({ response, deadline, attempt });
      done(true);
      return used;
    } catch (error) {
      deadline.stop();
      done(false);
      // A body that nobody reads to its end would keep its connection; one that somebody reads cannot be cancelled here.
      await response?.body?.cancel().catch(() => {});
      throw error instanceof S3Error ? error : noResponse(error);
    }
  }

  function giveUp(request: S3Request, failure: S3Error): never {
    if (failure.isTransient) pausedUntilMs = nowMs() + pauseMs;
    const { operation } = request;
    const { status, code } = failure;
    log.write(failure.isTransient ? 'warn' : 'error', 'image-store-failed', {
      operation,
      status,
      code,
      error: failure,
    });
    throw refusalFor(failure);
  }

  return {
    async send(request, use) {
      if (nowMs() < pausedUntilMs) throw unreachable();
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await sendOnce(request, attempt, use);
        } catch (error) {
          const failure = error as S3Error;
          if (!failure.isTransient || attempt === maxAttempts) giveUp(request, failure);
          // Spread, so that requests that failed together do not come back together.
          await wait(firstWaitMs * 4 ** (attempt - 1) * (0.5 + Math.random()));
        }
      }
    },
  };
}

/** SHA-256 of nothing: the digest of requests without a body. */
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
    ...{ method, url: url.href, accessKeyId, secretAccessKey, cache, service: 's3', region: location.region },
    ...(sessionToken === undefined ? {} : { sessionToken }),
    headers: { 'x-amz-content-sha256': emptySha256, ...headers },
    datetime: new Date(nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, ''),
  });
  const sent = await signer.sign();
  // Not signed, since proxies change it. Without it fetch would ask for compressed answers.
  sent.headers.set('accept-encoding', 'identity');
  return { url: sent.url, init: { method, headers: sent.headers, ...(body === undefined ? {} : { body }) } };
}

/** A time within which something must happen; else its signal is aborted. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** It happened: there is no deadline until it is started again. */
  stop(): void;
  /** Begins the whole time anew. */
  restart(): void;
}

/** Starts a deadline. */
function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const begin = () => setTimeout(() => controller.abort(new Error(`nothing came for ${timeoutMs} ms`)), timeoutMs);
  let timer = begin();
  const stop = () => clearTimeout(timer);
  const restart = () => {
    stop();
    timer = begin();
  };
  return { signal: controller.signal, stop, restart };
}
