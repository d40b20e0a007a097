import net from 'node:net';

/** What a connection sent back for some bytes. */
export interface Exchange {
  /** The whole text, of one response or several; empty where the connection was closed without any. */
  readonly text: string;
  /** True if nothing came, and the connection stayed open. */
  readonly isSilent: boolean;
}

/** Longer than any request may take, with the deadlines of the service on a busy machine. */
const silenceMs = 60_000;

/** How long bytes that may be half a request are waited for, before the client says that nothing more comes. */
const halfRequestMs = 200;

/**
 * Sends bytes on a connection of its own; resolves when the service has closed it. `isWhole`: the bytes are a request that
 * asks for the connection to be closed. The service does not answer one whose client has ended its side.
 */
export function exchange(port: number, bytes: Buffer, isWhole: boolean): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => socket.write(bytes));
  const half = isWhole ? undefined : setTimeout(() => socket.end(), halfRequestMs);
  const parts: Buffer[] = [];
  const finish = (isSilent: boolean) => {
    clearTimeout(half);
    socket.destroy();
    resolve({ text: Buffer.concat(parts).toString('latin1'), isSilent });
  };
  socket.setTimeout(silenceMs, () => finish(true));
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => finish(false));
  socket.on('end', () => finish(false));
  return promise;
}
