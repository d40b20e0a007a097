import type { ServerAddress } from './address.ts';
import type { Connection } from './connection.ts';
import { isUnavailable, sqlState } from './errors.ts';

/**
 * `writes`: a server that is read-only, such as a standby, is refused. `reads`: it is accepted if no server of the address
 * takes writes, and each of them says so: one that cannot be reached may be the one that does, and have what this one lacks.
 */
export type ConnectionUse = 'writes' | 'reads';

/**
 * Which server of an address took writes last, for all connections of a store: those to another one are given up, as it may lack
 * what was written since.
 */
export interface ServerChoice {
  last: number;
  /** How often it was another one than before. */
  changes: number;
}

/** A connection, and why it may only read: the server is a standby, or a setting of it, the database or the role. */
export interface Session {
  readonly connection: Connection;
  readonly readOnly: 'standby' | 'setting' | undefined;
}

/**
 * Connects to the server of the last connection, else to the next one of the address that is reachable and takes writes. So the
 * next connection finds a standby that was promoted, without a restart.
 */
export async function chooseServer(
  servers: readonly ServerAddress[],
  connectTo: (server: ServerAddress) => Promise<Session>,
  use: ConnectionUse,
  choice: ServerChoice,
): Promise<Connection> {
  let failure: unknown;
  let isOneMissing = false;
  const readOnly: Session[] = [];
  const { last } = choice;
  for (let step = 0; step < servers.length; step += 1) {
    const index = (last + step) % servers.length;
    const server = servers[index]!;
    try {
      const session = await connectTo(server);
      if (session.readOnly === undefined) {
        closeAll(readOnly);
        return chosen(session, choice, index);
      }
      readOnly.push(session);
      if (!isOneMissing) failure = readOnlyError(server, session.readOnly);
    } catch (error) {
      failure = error;
      isOneMissing = true;
      if (!isUnavailable(error)) break;
    }
  }
  if (use === 'writes' || isOneMissing) {
    closeAll(readOnly);
    throw failure;
  }
  // A standby may be behind a server that is read-only by a setting.
  const best = readOnly.find((session) => session.readOnly === 'setting') ?? readOnly[0]!;
  closeAll(readOnly.filter((session) => session !== best));
  return { ...best.connection, isDoubtful: () => true };
}

/** The connection to the server of a number, which becomes doubtful once another server is chosen. */
function chosen({ connection }: Session, choice: ServerChoice, index: number): Connection {
  if (choice.last !== index) choice.changes += 1;
  choice.last = index;
  const { changes } = choice;
  return { ...connection, isDoubtful: () => connection.isDoubtful() || choice.changes !== changes };
}

function closeAll(sessions: readonly Session[]): void {
  for (const { connection } of sessions) void connection.close();
}

function readOnlyError({ name }: ServerAddress, readOnly: 'standby' | 'setting'): Error {
  const why = readOnly === 'standby' ? 'is a standby' : 'is read-only by default_transaction_read_only';
  return Object.assign(new Error(`${name} ${why}`), { code: sqlState.readOnly });
}
