import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { ProcessRequest } from '../service-process.ts';

/** Sends a request over a connection that breaks: in the middle of it, soon after it, or at the first byte of its response. */
export async function breakOff(
  port: number,
  { method = 'GET', path, body, text, token, headers = {} }: ProcessRequest,
  random: Random,
): Promise<void> {
  const payload = Buffer.from(text ?? (body === undefined ? '' : JSON.stringify(body)));
  const lines = Object.entries({
    ...{ host: 'localhost', authorization: `Bearer ${token}`, 'content-length': String(payload.length) },
    ...(payload.length > 0 && { 'content-type': 'application/json' }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  const bytes = Buffer.concat([head, payload]);
  const when = random.pick(['within', 'after', 'answered'] as const);
  const sent = when === 'within' ? bytes.subarray(0, random.integer(1, bytes.length - 1)) : bytes;
  const socket = connect({ port, host: '127.0.0.1' });
  const { promise, resolve } = Promise.withResolvers<void>();
  socket
    .on('error', () => resolve())
    .on('close', () => resolve())
    .once('data', () => resolve());
  socket.write(sent);
  await (when === 'answered' ? promise : Promise.race([promise, pause(random.integer(0, 10))]));
  socket.destroy();
}
