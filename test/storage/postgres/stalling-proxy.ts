import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, and can let everything hang as a frozen machine does. Close it afterwards. */
export interface StallingProxy {
  readonly port: number;
  /** From now on nothing passes, and nothing ends; new connections are accepted, as the kernel does. */
  stall(): void;
  resume(): void;
  /** Ends all connections. */
  cut(): void;
  /** Nothing passes on the connections of this moment any more, and nothing ends them. */
  lose(): void;
  close(): Promise<void>;
}

/** Starts a proxy on loopback. */
export function startStallingProxy(targetPort: number): Promise<StallingProxy> {
  let isStalled = false;
  const sockets = new Set<Socket>();
  const lost = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      if (isStalled) from.pause();
      from.on('data', (data) => to.write(data));
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (!isStalled && !lost.delete(from)) to.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve({
        port: (server.address() as { port: number }).port,
        stall() {
          isStalled = true;
          for (const socket of sockets) socket.pause();
        },
        resume() {
          isStalled = false;
          for (const socket of sockets) if (!lost.has(socket)) socket.resume();
        },
        cut() {
          for (const socket of sockets) socket.destroy();
        },
        lose() {
          for (const socket of sockets) lost.add(socket.pause());
        },
        close: () =>
          new Promise((closed) => {
            for (const socket of sockets) socket.destroy();
            server.close(() => closed());
          }),
      });
    });
  });
}
