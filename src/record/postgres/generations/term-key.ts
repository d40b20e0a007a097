import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { StoreRefused } from '../../engine.ts';
import { createTermHash, keyBytes, type TermHash } from '../index/term-hash.ts';
import type { Connection } from '../open/connection.ts';
import { servicePartition } from '../rows.ts';
import { withoutTerms } from './generation.ts';

/** The key of the terms in hexadecimal digits, with its CRC-32 behind it. */
const settingName = 'term-key';

/**
 * Reads the key by which the store makes numbers of terms. The first start makes it, and so does one after it was lost:
 * what resources there are by then have the terms of another key. Throws `StoreRefused` if it is damaged.
 */
export async function openTerms(connection: Connection): Promise<TermHash> {
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const read = () => connection.query<{ value: string }>({ text, values: [servicePartition, settingName] });
  let [row] = await read();
  if (!row) {
    await makeKey(connection);
    [row] = await read();
  }
  const key = Buffer.from(row!.value.slice(0, 2 * keyBytes), 'hex');
  if (key.length === keyBytes && settingOf(key) === row!.value) return createTermHash(key);
  throw new StoreRefused(
    `The key of the index terms is damaged. Restore the row “${settingName}” of store_setting from a backup; or stop the service, delete that row, and start again: all resources are then indexed again.`,
  );
}

/** In one transaction: a process that finds the key finds the orders as well. */
async function makeKey(connection: Connection): Promise<void> {
  await connection.run({ text: 'BEGIN' });
  try {
    const made = await connection.run({
      text: 'INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      values: [servicePartition, settingName, settingOf(randomBytes(keyBytes))],
    });
    if (made === 1) for (const order of buildOrders) await connection.run({ text: order });
    if (!(await connection.commit())) throw new Error('The transaction was rolled back.');
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' });
  }
}

/** Builds of the whole index of each project: of those that have a generation, and of those that have none. */
const buildOrders = [
  `UPDATE index_generation SET ready = '${withoutTerms}', step = 'clean', position = '', owner = '', lease_until = 0`,
  `INSERT INTO index_generation (project_key, generation, paths, ready, step, position, owner, lease_until)
    SELECT DISTINCT r.project_key, 1::bigint, '[]', '${withoutTerms}', 'clean', '', '', 0::bigint FROM resource r
    WHERE NOT EXISTS (SELECT 1 FROM index_generation g WHERE g.project_key = r.project_key)`,
];

function settingOf(key: Uint8Array): string {
  return Buffer.from(key).toString('hex') + crc32(key).toString(16).padStart(8, '0');
}
