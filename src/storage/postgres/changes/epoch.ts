import { randomBytes } from 'node:crypto';
import type { Connection } from '../open/connection.ts';
import { servicePartition } from '../rows.ts';

const settingName = 'log-epoch';

/** The epoch of the logs of this database that have no event yet. The first start makes it. */
export async function readEpoch(connection: Connection): Promise<string> {
  await connection.run({
    text: 'INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [servicePartition, settingName, randomBytes(9).toString('base64url')],
  });
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const [row] = await connection.query<{ value: string }>({ text, values: [servicePartition, settingName] });
  return row!.value;
}
