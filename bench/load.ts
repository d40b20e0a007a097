import { connect, type Socket } from 'node:net';
import { createHistogram } from 'node:perf_hooks';

/** One HTTP/1.1 request as bytes. `n` counts the requests of a trial. */
export type MakeRequest = (n: number) => string;

export interface Load {
  readonly port: number;
  readonly connections: number;
  /** The trial ends after so many requests or so many ms, whichever comes first. */
  readonly requests: number;
  readonly ms: number;
  readonly make: MakeRequest;
  /** Sees each answer's body if given; costs time of the generator. */
  readonly onBody?: (body: string, n: number) => void;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
}

const headEnd = Buffer.from('\r\n\r\n');

/** Reads answers off one socket; every answer of the service has a Content-Length or no body. */
function readAnswers(socket: Socket, onAnswer: (status: number, body: () => string) => void): void {
  let pending: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const end = pending.indexOf(headEnd);
      if (end < 0) return;
      const head = pending.toString('latin1', 0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (pending.length < end + 4 + length) return;
      const whole = pending;
      pending = pending.subarray(end + 4 + length);
      onAnswer(Number(head.slice(9, 12)), () => whole.toString('utf8', end + 4, end + 4 + length));
    }
  });
}

/** Sends requests over keep-alive connections, the next one when the last was answered (closed loop). */
export function runLoad({ port, connections, requests, ms, make, onBody }: Load): Promise<LoadResult> {
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
    resolve({ perSecond: answered / seconds, p50Ms: ofNs(50), p99Ms: ofNs(99), requests: answered, statuses });
  }

  for (let i = 0; i < connections; i += 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0n;
    let number = 0;
    const next = () => {
      if (sent >= requests || performance.now() - begun > ms) {
        socket.end();
        open -= 1;
        if (open === 0) finish();
        return;
      }
      number = sent;
      sent += 1;
      sentAt = process.hrtime.bigint();
      socket.write(make(number));
    };
    socket.on('connect', next);
    socket.on('error', reject);
    readAnswers(socket, (status, body) => {
      latency.record(process.hrtime.bigint() - sentAt);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      answered += 1;
      onBody?.(body(), number);
      next();
    });
  }
  return promise;
}
