import type { Agent } from 'node:http';
import type { AddressGuard } from '../../network/address-guard.ts';
import { type ExchangeResult, exchange } from '../../network/exchange.ts';
import { parseRetryAfter } from '../delivery/schedule.ts';
import { signedHeaders } from './signature.ts';

/** An event on its way to a receiver. */
export interface Message {
  /** `webhook-id`: the same in all attempts. */
  readonly id: string;
  readonly body: string;
}

/** What became of an attempt. Only 2xx is success. */
export interface SendResult {
  readonly ok: boolean;
  /** Absent where there was no response. */
  readonly status?: number;
  /** Why there was none, for people. */
  readonly failure?: string;
  readonly retryAfterMs?: number | undefined;
  readonly durationMs: number;
}

/** Sends a message to an address, signed by the secrets. Never rejects. */
export type Send = (url: string, secrets: readonly string[], message: Message) => Promise<SendResult>;

export interface SenderOptions {
  readonly timeoutMs: number;
  readonly userAgent: string;
  readonly nowMs: () => number;
  /** The connections and the addresses for a scheme, `https:` or `http:`. */
  readonly routeOf: (protocol: string) => { readonly agent: Agent; readonly guard: AddressGuard };
}

/** The most that is read of the body of a response. Nothing is done with it. */
const maxResponseBytes = 65_536;

const failures = {
  timedOut: (timeoutMs: number) => `no response within ${timeoutMs} ms`,
  tooLarge: () => 'the response is too large',
  unreachable: () => 'no connection, or no complete response',
} as const;

/**
 * One sentence for a name that does not exist, one whose address is not allowed, and an address that takes no connection:
 * whoever may subscribe could otherwise ask the service for names and ports of the network that it is in.
 */
const noConnection =
  'no connection: the name is unknown, its address is neither public nor allowed, or nothing answers there';
const connectionCodes =
  /^(?:ENOTFOUND|EAI_|ENODATA|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|EACCES|EPERM)/;

function reasonOf(
  { failure, cause }: Extract<ExchangeResult, { readonly failure: string }>,
  timeoutMs: number,
): string {
  const { code } = (cause ?? {}) as NodeJS.ErrnoException;
  if (failure === 'denied' || (code !== undefined && connectionCodes.test(code))) return noConnection;
  // A certificate may have expired, for example: there was a connection, to an address that is allowed.
  return code === undefined ? failures[failure](timeoutMs) : `${failures[failure](timeoutMs)} (${code})`;
}

/** Makes the function that sends. Redirects are not followed. */
export function createSender({ timeoutMs, userAgent, nowMs, routeOf }: SenderOptions): Send {
  return async (text, secrets, message) => {
    const startedMs = performance.now();
    const url = new URL(text);
    const timestampSeconds = Math.floor(nowMs() / 1000);
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(message.body)),
      'user-agent': userAgent,
      ...signedHeaders({ ...message, timestampSeconds }, secrets),
    };
    const outgoing = { url, method: 'POST', headers, body: message.body, ...routeOf(url.protocol) } as const;
    const outcome = await exchange({ ...outgoing, maxBytes: maxResponseBytes, dropsBody: true }, timeoutMs);
    const durationMs = Math.round(performance.now() - startedMs);
    if ('failure' in outcome) {
      return { ok: false, failure: reasonOf(outcome, timeoutMs), durationMs };
    }
    const { status, retryAfter } = outcome;
    const ok = status >= 200 && status < 300;
    return { ok, status, durationMs, ...(!ok && { retryAfterMs: parseRetryAfter(retryAfter, nowMs()) }) };
  };
}

/** The failure in words: the status, or why there was no response. */
export function failureOf({ status, failure }: SendResult): string {
  return status === undefined ? (failure ?? 'failed') : `HTTP ${status}`;
}
