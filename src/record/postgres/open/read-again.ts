import type { Connection } from './connection.ts';
import { isWorthRepeating, refusalOf } from './errors.ts';
import type { ProjectNodes } from './nodes.ts';
import type { Pool } from './pool.ts';

/** Reads, and once more where the server was not there and said so at once. Rejects with a ServiceError, or what the read throws. */
export async function readAgain<T>(read: () => Promise<T>): Promise<T> {
  const begunMs = performance.now();
  try {
    return await read().catch((error: unknown) => {
      if (isWorthRepeating(error, begunMs)) return read();
      throw error;
    });
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Reads of one project, by a connection that has a place for its server, as `readAgain`. */
export type ReadOfProject = <T>(projectKey: string, read: (connection: Connection) => Promise<T>) => Promise<T>;

/** Creates such reads over a pool. */
export function createReadOfProject(pool: Pool, nodes: ProjectNodes): ReadOfProject {
  return (projectKey, read) => readAgain(async () => pool.use(read, await nodes.groupOf(projectKey)));
}
