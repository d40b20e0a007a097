import { analysisVersion } from '../../../domain/search/words/document-words.ts';
import { servicePartition } from '../rows.ts';
import type { Connection } from './connection.ts';

/**
 * By which rules the words of the stored resources were found: our own analysis, and the tables for breaking and folding
 * words. Resources are not indexed again by themselves when these change, so the store records them.
 */
const settingName = 'word-analysis';

function currentAnalysis(): string {
  const { icu = '', unicode = '' } = process.versions;
  return JSON.stringify(`${analysisVersion}, ICU ${icu}, Unicode ${unicode}`);
}

/** True if there are resources whose words may have been found by other rules. A new store records those of today. */
export async function hasOtherAnalysis(connection: Connection): Promise<boolean> {
  const text = 'SELECT value FROM store_setting WHERE project_key = $1 AND name = $2';
  const [row] = await connection.query<{ value: string }>({ text, values: [servicePartition, settingName] });
  if (row) return row.value !== currentAnalysis();
  const found = await connection.query({ text: 'SELECT 1 AS one FROM resource LIMIT 1' });
  if (found.length > 0) return true;
  await recordAnalysis(connection);
  return false;
}

/** To be called when all resources have been indexed by the rules of today. */
export async function recordAnalysis(connection: Connection): Promise<void> {
  const text = `INSERT INTO store_setting (project_key, name, value) VALUES ($1, $2, $3)
    ON CONFLICT (project_key, name) DO UPDATE SET value = excluded.value`;
  await connection.query({ text, values: [servicePartition, settingName, currentAnalysis()] });
}
