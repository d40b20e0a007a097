import { crc32 } from 'node:zlib';
import { ServiceError } from '../../contract/errors.ts';
import type { IdempotentResponse } from '../../domain/ports/resource-store.ts';
import { type CheckedTable, type DamageLog, holdsChecksum, type Row } from './checked-table.ts';

/**
 * The columns of `idempotent_answer` that its checksum covers, without the key. The body has a checksum of its own, which
 * is one of them, so that rows can be checked before they are deleted without reading bodies.
 */
export const responseColumns = ['request_hash', 'status', 'headers', 'body_checksum', 'expires_at'] as const;

/** The row of a response, without its key. */
export function responseRow({ requestHash, status, headers, body, expiresAtMs }: IdempotentResponse): Row {
  const head = { request_hash: requestHash, status, headers: JSON.stringify(headers), expires_at: expiresAtMs };
  return { ...head, body, body_checksum: crc32(body) };
}

/** True if a row with its body is what was written. */
export function isIntactResponse(table: CheckedTable, row: Row): boolean {
  const { body } = row;
  return typeof body === 'string' && row.body_checksum === crc32(body) && holdsChecksum(table, row);
}

/** The response that a repeated request gets, if there is a row that has not expired. Reports a damaged one, and throws for it. */
export function responseOf(
  table: CheckedTable,
  damage: DamageLog,
  scope: string,
  row: Row | undefined,
  nowMs: number,
): IdempotentResponse | undefined {
  if (!row) return undefined;
  if (!isIntactResponse(table, row)) {
    damage.add(table, row);
    throw damagedResponse();
  }
  if ((row.expires_at as number) <= nowMs) return undefined;
  return {
    scope,
    requestHash: row.request_hash as string,
    status: row.status as number,
    headers: JSON.parse(row.headers as string) as Record<string, string>,
    body: row.body as string,
    expiresAtMs: row.expires_at as number,
  };
}

/** The error for a repeated request whose response is damaged. The request must not be carried out again either. */
function damagedResponse(): ServiceError {
  const message =
    'The stored response to this Idempotency-Key is damaged and is not repeated. The request was carried out the first time; read the resource to see its effect.';
  return new ServiceError('DataCorruption', message);
}
