import { connect, createServer, type Socket } from 'node:net';

/** Stands between the store and PostgreSQL. Close it when the test is over. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Ends the next connection on which the client sends this word, before the answer comes back. With `isLast` it ends all others too, and
   * refuses new ones.
   */
  cutOnceAfter(word: string, isLast?: boolean): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback. */
export function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  let word: string | undefined;
  let isLast = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        // The server is to get what was sent before.
        target.end();
      });
    }
    client.on('data', (data) => {
      const cuts = word !== undefined && data.includes(word);
      if (cuts) word = undefined;
      if (cuts && isLast) {
        server.close();
        // Nor is one left that something else used at this moment.
        for (const other of sockets) if (other !== client && other !== target) other.destroy();
      }
      target.write(data, () => cuts && client.destroy());
    });
    target.on('data', (data) => {
      if (!client.destroyed) client.write(data);
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        port: (server.address() as { port: number }).port,
        cutOnceAfter(next, last = false) {
          word = next;
          isLast = last;
        },
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            if (server.listening) server.close(() => closed());
            else closed();
          }),
      });
    });
  });
}
