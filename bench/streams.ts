/**
 * `node bench/streams.ts`: what it costs to deliver an event to many open streams. Opens streams of server-sent events on
 * a service of its own, updates a resource again and again, and prints the processor time of the service for each
 * delivered event, beside a service with one stream, and how long after the response of a write its event was there.
 * Options: --streams <number>, --events <number>.
 */
import { Agent, get, type IncomingMessage } from 'node:http';
import { parseArgs } from 'node:util';
import { cpuSeconds, fetchToken, residentMb, startService, temporaryFolder } from './service.ts';

const { values } = parseArgs({
  options: { streams: { type: 'string', default: '1000' }, events: { type: 'string', default: '40' } },
});
const events = Number(values.events);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function measure(streams: number): Promise<void> {
  const folder = temporaryFolder();
  const service = await startService(folder.path, { MAX_CONNECTIONS: '4000' });
  try {
    const token = await fetchToken(service.port, 'manage_project:bench');
    const base = `http://127.0.0.1:${service.port}/bench`;
    const authorization = `Bearer ${token}`;
    const write = async (n: number) => {
      const headers = { authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ key: 'watched', note: `note ${n}`, n });
      const response = await fetch(`${base}/resource`, { method: 'POST', headers, body });
      if (response.status !== 201) throw new Error(`write: ${response.status}`);
      await response.text();
    };
    await write(-1);
    const before = residentMb(service);
    const agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
    const headers = { authorization, accept: 'text/event-stream' };
    let received = 0;
    let sentMs = 0;
    const delays: number[] = [];
    const open = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(`${base}/events?after=latest`, { agent, headers }, (response) => {
          response.on('data', (chunk: Buffer) => {
            const found = chunk.toString('latin1').split('\ndata: ').length - 1;
            for (let i = 0; i < found; i += 1) delays.push(performance.now() - sentMs);
            received += found;
          });
          resolve(response);
        }).once('error', reject);
      });
    const opened: IncomingMessage[] = [];
    for (let i = 0; i < streams; i += 50) {
      opened.push(...(await Promise.all(Array.from({ length: Math.min(50, streams - i) }, open))));
    }
    await pause(1000);
    const idle = cpuSeconds(service);
    await pause(2000);
    const idlePerSecond = (cpuSeconds(service) - idle) / 2;
    const megabytes = residentMb(service) - before;
    delays.length = 0;
    received = 0;
    const begun = cpuSeconds(service);
    const begunMs = performance.now();
    for (let n = 0; n < events; n += 1) {
      await write(n);
      sentMs = performance.now();
      while (received < (n + 1) * streams) await pause(2);
      await pause(20);
    }
    const used = cpuSeconds(service) - begun - (idlePerSecond * (performance.now() - begunMs)) / 1000;
    delays.sort((a, b) => a - b);
    const of = (share: number) => delays[Math.floor(share * (delays.length - 1))]!.toFixed(1);
    console.log(
      `${streams} streams, ${events} events: ${((used * 1e6) / received).toFixed(1)} µs of the processor for each delivered event; ` +
        `after the response p50 ${of(0.5)} ms, p99 ${of(0.99)} ms, last ${of(1)} ms; ${megabytes} MB for the streams`,
    );
    for (const response of opened) response.destroy();
  } finally {
    await service.stop();
    folder.remove();
  }
}

await measure(1);
await measure(Number(values.streams));
