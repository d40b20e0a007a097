import type { DatabaseSync } from 'node:sqlite';
import type { RuleStore } from '../../domain/ports/rule-store.ts';
import { maxCounted } from '../../sqlite/position.ts';
import { contestedMarks, type MarkRow } from '../row/marks.ts';
import { rulesVersion } from './write/marks.ts';
import type { Statement } from './write/messages.ts';
import type { Writer } from './write/writer.ts';

/** The resources of a JSON list of `[id, version, incarnation, marks]` that still have these versions, as `r`. */
const unchanged = `json_each(?2) i CROSS JOIN resource r
  ON r.project_key = ?1 AND r.id = i.value ->> 0 AND r.version = i.value ->> 1 AND r.incarnation IS i.value ->> 2`;

// A version that no project has is damage.
const raise = `INSERT INTO project_rules VALUES (?, ?) ON CONFLICT DO UPDATE SET version = excluded.version
  WHERE version IS NULL OR version NOT BETWEEN excluded.version AND ${maxCounted}`;
const removeOthers = `DELETE FROM mark WHERE (project_key, mark, id) IN (
  SELECT m.project_key, m.mark, m.id FROM ${unchanged} CROSS JOIN mark m ON m.project_key = ?1 AND m.id = r.id
  WHERE EXISTS (SELECT 1 FROM json_each(?3) b WHERE substr(m.mark, 1, length(b.value)) = b.value)
    AND NOT EXISTS (SELECT 1 FROM json_each(i.value, '$[3]') k WHERE k.value = m.mark))`;
const addMarks = `INSERT OR IGNORE INTO mark
  SELECT ?1, k.value, r.id FROM ${unchanged} CROSS JOIN json_each(i.value, '$[3]') k`;
// The marks that begin so come first.
const removePortion = `DELETE FROM mark WHERE (project_key, mark, id) IN (
  SELECT ?1, mark, id FROM (SELECT mark, id FROM mark WHERE project_key = ?1 AND mark >= ?2 ORDER BY mark, id LIMIT ?3)
  WHERE substr(mark, 1, length(?2)) = ?2)`;

/** The RuleStore port on SQLite: reads on the connection `read`, writes through `write`. */
export function createRuleStore({
  read,
  write,
}: {
  readonly read: DatabaseSync;
  readonly write: Writer['write'];
}): RuleStore {
  const version = read.prepare(rulesVersion);
  const ids = read.prepare('SELECT id FROM mark WHERE project_key = ? AND mark = ? AND id > ? ORDER BY id LIMIT ?');
  const rows = read.prepare(
    'SELECT mark, id FROM mark WHERE project_key = ? AND (mark, id) > (?, ?) ORDER BY mark, id LIMIT ?',
  );
  ids.setReturnArrays(true);
  const writeOne = async (sql: string, ...params: Statement['params']) => (await write([{ sql, params }]))[0]!;
  return {
    async setRules(projectKey, next) {
      await writeOne(raise, projectKey, next);
    },
    rulesVersion(projectKey) {
      return (version.get(projectKey) as { version: number } | undefined)?.version ?? 0;
    },
    marked(projectKey, mark, limit, afterId = '') {
      return (ids.all(projectKey, mark, afterId, limit) as unknown as readonly (readonly [string])[]).map(([id]) => id);
    },
    contested: (projectKey, beginning, limit) =>
      contestedMarks(
        (mark, id, most) => rows.all(projectKey, mark, id, most) as unknown as readonly MarkRow[],
        beginning,
        limit,
      ),
    async mark(projectKey, items, beginnings) {
      const listed = JSON.stringify(
        items.map(({ id, version, incarnation = null, marks }) => [id, version, incarnation, marks]),
      );
      await write([
        { sql: removeOthers, params: [projectKey, listed, JSON.stringify(beginnings)] },
        { sql: addMarks, params: [projectKey, listed] },
      ]);
    },
    unmark: (projectKey, beginning, limit) => writeOne(removePortion, projectKey, beginning, limit),
  };
}
