import { ServiceError } from '../../contract/errors.ts';
import type { ApiClient, Revocation, RevocationList, SigningKey } from '../../domain/ports/client-store.ts';
import { type CheckedTable, type DamageLog, holdsChecksum, type Row } from './checked-table.ts';

/** Rows of `api_client`, `signing_key` and `revocation`, which both engines have. */

/** The row of a client, without a checksum. Without a project there is NULL, or '' where the column is part of a key. */
export function clientRow(client: ApiClient, none: null | ''): Row {
  const { id, projectKey, name, scopes, createdAtMs } = client;
  const columns = { id, project_key: projectKey ?? none, name, scopes: JSON.stringify(scopes) };
  return { ...columns, secret_hash: secretColumn(client), created_at: createdAtMs };
}

/** In the column of the secret: a publishable key and its origins. */
const publishableMark = 'publishable:';

/**
 * The digest of the secret; after a rotation with that of the one before and its end behind it, in the same column. A
 * column of its own would change the checksum, and the version before would take every row for damaged.
 */
export function secretColumn({ secretHash, previous, publishable }: ApiClient): string {
  if (publishable) return publishableMark + JSON.stringify(publishable);
  return previous ? [secretHash, previous.secretHash, previous.untilMs].join(';') : secretHash;
}

/** The client of a row that is intact. */
function clientOf(row: Row): ApiClient {
  const column = row.secret_hash as string;
  const isPublishable = column.startsWith(publishableMark);
  const [secretHash, before, untilMs] = isPublishable ? [''] : column.split(';');
  return {
    id: row.id as string,
    projectKey: (row.project_key as string | null) || undefined,
    name: row.name as string,
    scopes: JSON.parse(row.scopes as string) as string[],
    secretHash: secretHash!,
    ...(isPublishable && {
      publishable: JSON.parse(column.slice(publishableMark.length)) as ApiClient['publishable'] & {},
    }),
    ...(before !== undefined && { previous: { secretHash: before, untilMs: Number(untilMs) } }),
    createdAtMs: row.created_at as number,
  };
}

/** The error for a client whose row is damaged. */
function damagedClient(id: string): ServiceError {
  const message = `The API client '${id}' is damaged in the store and gets no token. An operator deletes it with “npx grs client delete”; then create a new one.`;
  return new ServiceError('DataCorruption', message);
}

/** The row of a signing key. */
export function keyRow({ kid, privateJwk, createdAtMs, activeFromMs, expiresAtMs }: SigningKey): Row {
  const times = { created_at: createdAtMs, active_from: activeFromMs, expires_at: expiresAtMs };
  return { kid, private_jwk: privateJwk, ...times };
}

/** The signing key of a row that is intact. */
export function keyOf(row: Row): SigningKey {
  return {
    kid: row.kid as string,
    privateJwk: row.private_jwk as string,
    createdAtMs: row.created_at as number,
    activeFromMs: row.active_from as number,
    expiresAtMs: row.expires_at as number,
  };
}

/** The row of a revocation. */
export function revocationRow({ kind, subject, revokedAtMs, expiresAtMs }: Revocation): Row {
  return { kind, subject, revoked_at: revokedAtMs, expires_at: expiresAtMs };
}

/** The revocation of a row that is intact. */
function revocationOf(row: Row): Revocation {
  return {
    kind: row.kind as Revocation['kind'],
    subject: row.subject as string,
    revokedAtMs: row.revoked_at as number,
    expiresAtMs: row.expires_at as number,
  };
}

/** Reads rows as they are stored. Damaged ones are reported. */
export class ClientRowReader {
  readonly #damage: DamageLog;

  constructor(damage: DamageLog) {
    this.#damage = damage;
  }

  isIntact(table: CheckedTable, row: Row): boolean {
    const holds = holdsChecksum(table, row);
    if (!holds) this.#damage.add(table, row);
    return holds;
  }

  /** Throws `DataCorruption` for a damaged row. */
  client(table: CheckedTable, row: Row): ApiClient {
    if (!this.isIntact(table, row)) throw damagedClient(String(row.id));
    return clientOf(row);
  }

  /** Revocations that have not expired, and how many rows are damaged: whether these have expired is not known. */
  revocations(table: CheckedTable, rows: readonly Row[], nowMs: number): RevocationList {
    const intact = rows.filter((row) => this.isIntact(table, row));
    const revocations = intact.map(revocationOf).filter(({ expiresAtMs }) => expiresAtMs >= nowMs);
    return { revocations, damaged: rows.length - intact.length };
  }
}
