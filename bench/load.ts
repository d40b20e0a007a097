import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** One HTTP/1.1 request, as bytes or as ASCII text. `n` counts the requests of a trial. */
export type MakeRequest = (n: number) => string | Buffer;

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** The trial ends after this many requests or ms, whichever comes first. */
  readonly requests: number;
  readonly ms: number;
  readonly make: MakeRequest;
  /** Gets each response's body if given; costs time of the generator. */
  readonly onBody?: (body: string, n: number) => void;
  /** Responses have no body, whatever their Content-Length: HEAD, 304. */
  readonly isBodyless?: boolean;
  /** Ends the trial as soon as it is true. */
  readonly isOver?: () => boolean;
  /** Each connection waits so long between a response and its next request: a light load beside another one. */
  readonly pauseMs?: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Of all responses, in ns. */
  readonly latency: RecordableHistogram;
}

const headEnd = Buffer.from('\r\n\r\n');
const lengthName = Buffer.from('ontent-length: ');

/** Reads the digits at a position of a buffer. The generator shares two cores with the service: it must cost little. */
function digitsAt(buffer: Buffer, at: number): number {
  let value = 0;
  for (let i = at; ; i += 1) {
    const digit = (buffer[i] ?? 0) - 0x30;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

function contentLength(buffer: Buffer, end: number): number {
  const at = buffer.indexOf(lengthName);
  return at < 0 || at > end ? 0 : digitsAt(buffer, at + lengthName.length);
}

/**
 * Reads responses off one socket; every response of the service has a Content-Length or no body. Bodies that no caller
 * reads are counted, not put together.
 */
export function readAnswers(
  socket: Socket,
  { onBody, isBodyless = false }: Pick<Load, 'onBody' | 'isBodyless'>,
  onAnswer: (status: number, body: () => string) => void,
): void {
  let pending: Buffer | undefined;
  let status = 0;
  let toSkip = 0;
  socket.on('data', (chunk: Buffer) => {
    if (toSkip > 0) {
      toSkip -= chunk.length;
      if (toSkip === 0) onAnswer(status, () => '');
      return;
    }
    pending = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
    while (pending !== undefined) {
      const end: number = pending.indexOf(headEnd);
      if (end < 0) return;
      const whole: Buffer = pending;
      const next = end + 4 + (isBodyless ? 0 : contentLength(whole, end));
      if (whole.length < next) {
        if (onBody) return;
        status = digitsAt(whole, 9);
        toSkip = next - whole.length;
        pending = undefined;
        return;
      }
      pending = whole.length === next ? undefined : whole.subarray(next);
      onAnswer(digitsAt(whole, 9), () => whole.toString('utf8', end + 4, next));
    }
  });
}

/** Sends requests over keep-alive connections, the next one after the last response (closed loop). */
export function runLoad(load: Load): Promise<LoadResult> {
  const { port, connections, requests, ms, make, onBody, pauseMs, isOver } = load;
  const latency = createHistogram();
  const statuses = new Map<number, number>();
  const begun = performance.now();
  let sent = 0;
  let answered = 0;
  let open = connections;
  const { promise, resolve, reject } = Promise.withResolvers<LoadResult>();

  function finish(): void {
    const seconds = (performance.now() - begun) / 1000;
    const ofNs = (percentile: number) => latency.percentile(percentile) / 1e6;
    resolve({ perSecond: answered / seconds, p50Ms: ofNs(50), p99Ms: ofNs(99), requests: answered, statuses, latency });
  }

  for (let i = 0; i < connections; i += 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0n;
    let number = 0;
    let ended = false;
    const next = () => {
      if (sent >= requests || performance.now() - begun > ms || isOver?.()) {
        ended = true;
        socket.end();
        open -= 1;
        if (open === 0) finish();
        return;
      }
      number = sent;
      sent += 1;
      sentAt = process.hrtime.bigint();
      socket.write(make(number), 'latin1');
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('close', () => {
      if (!ended) reject(new Error('The server closed a connection with a request on it.'));
    });
    readAnswers(socket, load, (status, body) => {
      latency.record(process.hrtime.bigint() - sentAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answered += 1;
      onBody?.(body(), number);
      if (pauseMs === undefined) next();
      else setTimeout(next, pauseMs);
    });
  }
  return promise;
}
