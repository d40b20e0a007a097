import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiClient, ClientStore } from '../domain/ports/client-store.ts';
import { createSecret, hashSecret } from './secrets.ts';

/** The file in DATA_DIR with the credentials of the administrator's client. */
export const adminClientFile = 'admin-client.json';

interface AdminClient {
  /** May request any scope of any project (decision 30). Exists only in memory. */
  readonly client: ApiClient;
  readonly clientId: string;
  /** Present only when it was created just now: shown once. */
  readonly secret?: string;
  /** The file with the credentials; absent where they come from the settings. */
  readonly file?: string;
}

/** The file of the administrator's client cannot be used. The message says what to do. */
export class AdminFileError extends Error {
  override readonly name = 'AdminFileError';
}

interface AdminSettings {
  readonly dataDir: string;
  readonly adminClientId: string | undefined;
  readonly adminClientSecret: string | undefined;
  readonly nowMs: () => number;
}

interface StoredCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

function adminClient({ clientId, clientSecret }: StoredCredentials, createdAtMs: number): ApiClient {
  const secretHash = hashSecret(clientSecret);
  return { id: clientId, projectKey: undefined, name: 'Administrator', scopes: [], secretHash, createdAtMs };
}

async function readCredentials(file: string): Promise<StoredCredentials | undefined> {
  let text: string;
  try {
    if (((await stat(file)).mode & 0o077) !== 0 && process.platform !== 'win32') {
      throw new AdminFileError(
        `${file} can be read by other users of this machine. Make it private: chmod 600 ${file}`,
      );
    }
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return parseCredentials(text, file);
}

function parseCredentials(text: string, file: string): StoredCredentials {
  let value: Partial<Record<keyof StoredCredentials, unknown>> | null = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: the same error as for JSON of another shape.
  }
  const { clientId, clientSecret } = value ?? {};
  if (typeof clientId === 'string' && clientId && typeof clientSecret === 'string' && clientSecret.length >= 16) {
    return { clientId, clientSecret };
  }
  throw new AdminFileError(
    `${file} does not hold clientId and clientSecret. Restore it from a backup, or delete it and start the service, which makes a new one.`,
  );
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/**
 * Writes the file whole or not at all. Unlike a rename, `link` fails where the name exists: of two processes that start
 * together, one creates the client and the other reads it. False if the file exists.
 */
async function writeCredentials(folder: string, file: string, credentials: StoredCredentials): Promise<boolean> {
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    const text = `${JSON.stringify(credentials, null, 2)}\n`;
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
    await link(temporary, file);
    await syncFolder(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

/**
 * The administrator's client: from the settings, else from DATA_DIR/admin-client.json, else created and written there.
 * It is not in the store: a changed secret is valid from the next start on, a lost file is created anew, and no digest
 * of a secret that a person chose can be attacked.
 */
export async function ensureAdminClient(settings: AdminSettings): Promise<AdminClient> {
  const { dataDir, adminClientId, adminClientSecret, nowMs } = settings;
  if (adminClientId !== undefined && adminClientSecret !== undefined) {
    const client = adminClient({ clientId: adminClientId, clientSecret: adminClientSecret }, nowMs());
    return { client, clientId: adminClientId };
  }
  const file = join(dataDir, adminClientFile);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const known = await readCredentials(file);
  if (known) return { client: adminClient(known, nowMs()), clientId: known.clientId, file };
  const made = { clientId: `admin-${randomBytes(6).toString('hex')}`, clientSecret: createSecret() };
  if (!(await writeCredentials(dataDir, file, made))) return ensureAdminClient(settings);
  return { client: adminClient(made, nowMs()), clientId: made.clientId, secret: made.clientSecret, file };
}

/** The clients of the store and the administrator's, whose id can be neither taken nor deleted. */
export function withAdminClient(clients: ClientStore, admin: ApiClient): ClientStore {
  return {
    ...clients,
    getClient: (id) => (id === admin.id ? admin : clients.getClient(id)),
    createClient: async (client) => client.id !== admin.id && clients.createClient(client),
    replaceClient: async (before, after) => before.id !== admin.id && clients.replaceClient(before, after),
    deleteClient: async (id, revocation) => id !== admin.id && clients.deleteClient(id, revocation),
  };
}
