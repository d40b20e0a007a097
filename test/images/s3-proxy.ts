import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after } from 'node:test';

/** What a proxy does to the bytes of a direction; it passes on the result. */
export type OnBytes = (bytes: Buffer, sockets: { readonly client: Socket; readonly server: Socket }) => Buffer;

export interface Proxy {
  readonly port: number;
  /** Of new and of existing connections. */
  onRequest: OnBytes;
  onAnswer: OnBytes;
}

const unchanged: OnBytes = (bytes) => bytes;

/** A connection to a port of this machine that can be disturbed. It ends with the test file. */
export async function startProxy(port: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(port, '127.0.0.1');
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      const isRequest = from === client;
      from.on('data', (bytes: Buffer) => {
        const passed = (isRequest ? proxy.onRequest : proxy.onAnswer)(bytes, { client, server });
        if (!to.destroyed) to.write(passed);
      });
      from.on('error', () => {});
      from.on('close', () => to.destroy());
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  after(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  const proxy: Proxy = { port: (listener.address() as AddressInfo).port, onRequest: unchanged, onAnswer: unchanged };
  return proxy;
}
