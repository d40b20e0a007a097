import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { type MakeRequest, readAnswers } from './load.ts';

export interface SteadyLoad {
  readonly port: number;
  readonly perSecond: number;
  readonly ms: number;
  readonly make: MakeRequest;
}

/** More than are ever needed: a request waits for none. */
const connections = 64;

/**
 * Sends requests at a fixed rate, however long responses take (open loop), a few at each tick of 1 ms. Latencies count from
 * when a request is sent.
 */
export async function runSteadyLoad({ port, perSecond, ms, make }: SteadyLoad): Promise<RecordableHistogram> {
  const latency = createHistogram();
  const free: Socket[] = [];
  const sentAt = new Map<Socket, bigint>();
  let failure: Error | undefined;
  const sockets = Array.from({ length: connections }, () => connect({ port, host: '127.0.0.1', noDelay: true }));
  for (const socket of sockets) {
    await once(socket, 'connect');
    free.push(socket);
    socket.on('error', (error) => {
      failure = error;
    });
    readAnswers(socket, {}, (status) => {
      if (status >= 300) failure = new Error(`HTTP ${status}`);
      latency.record(process.hrtime.bigint() - sentAt.get(socket)!);
      sentAt.delete(socket);
      free.push(socket);
    });
  }
  const begunMs = performance.now();
  let sent = 0;
  while (performance.now() - begunMs < ms && !failure) {
    const due = ((performance.now() - begunMs) * perSecond) / 1000;
    for (; sent < due; sent += 1) {
      const socket = free.shift();
      if (!socket) throw new Error('The service does not keep up with the rate.');
      sentAt.set(socket, process.hrtime.bigint());
      socket.write(make(sent), 'latin1');
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  while (sentAt.size > 0 && !failure) await new Promise((resolve) => setTimeout(resolve, 1));
  for (const socket of sockets) socket.destroy();
  if (failure) throw failure;
  return latency;
}
