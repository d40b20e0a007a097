import type { RuleStore } from '../../domain/ports/rule-store.ts';
import { contestedMarks, type MarkRow } from '../row/marks.ts';
import { endOfNumbers, epochOf } from './event-row.ts';
import type { ProjectNodes } from './open/nodes.ts';
import type { Pool } from './open/pool.ts';
import { createReadOfProject } from './open/read-again.ts';
import type { Work } from './write/transaction.ts';
import type { Writer } from './write/writer.ts';

/** Waits for the commit that has the head; the next one reads this. A version that no project has is damage. */
const raiseText = `INSERT INTO event_head (project_key, epoch, pruned, rules) VALUES ($1, $2, 0, $3)
  ON CONFLICT (project_key) DO UPDATE SET rules = excluded.rules
  WHERE event_head.rules NOT BETWEEN excluded.rules AND ${endOfNumbers}`;
const lockText = 'SELECT 1 FROM event_head WHERE project_key = $1 FOR UPDATE';
const versionText = `SELECT rules FROM event_head WHERE project_key = $1 AND rules BETWEEN 0 AND ${endOfNumbers}`;
const markedText = 'SELECT id FROM mark WHERE project_key = $1 AND mark = $2 AND id > $3 ORDER BY id LIMIT $4';
const behindText =
  'SELECT mark, id FROM mark WHERE project_key = $1 AND (mark, id) > ($2, $3) ORDER BY mark, id LIMIT $4';
// Limits have each resource looked up by itself, and rows are removed one by one, as in `grs_commit`: whatever the statistics say.
const presentText = `SELECT r.id, r.version, r.incarnation FROM unnest($2::text[]) n (id)
  CROSS JOIN LATERAL (SELECT r.* FROM resource r WHERE r.project_key = $1 AND r.id = n.id LIMIT 1) r`;
const marksText = `SELECT n.id, m.mark FROM unnest($2::text[]) n (id)
  CROSS JOIN LATERAL (SELECT m.mark FROM mark m WHERE m.project_key = $1 AND m.id = n.id LIMIT 1000000) m`;
const removeText = 'DELETE FROM mark WHERE project_key = $1 AND mark = $2 AND id = $3';
const addText = `INSERT INTO mark (project_key, mark, id)
  SELECT $1, k.mark, k.id FROM unnest($2::text[], $3::text[]) k (id, mark) ON CONFLICT DO NOTHING`;
// The marks that begin so come first.
const removePortionText = `DELETE FROM mark WHERE project_key = $1 AND (mark, id) IN (
  SELECT m.mark, m.id FROM (SELECT mark, id FROM mark WHERE project_key = $1 AND mark >= $2 ORDER BY mark, id LIMIT $3) m
  WHERE starts_with(m.mark, $2))`;

interface Present {
  readonly id: string;
  readonly version: number;
  readonly incarnation: string | null;
}

/** The RuleStore port on PostgreSQL. */
export function createRuleStore(deps: {
  readonly pool: Pool;
  readonly nodes: ProjectNodes;
  readonly writer: Writer;
}): RuleStore {
  const { pool, nodes, writer } = deps;
  const readOfProject = createReadOfProject(pool, nodes);
  const read = <Row>(name: string, text: string, values: readonly [projectKey: string, ...unknown[]]) =>
    readOfProject(values[0], (connection) => connection.query<Row>({ name, text, values }));
  /** Does work between two commits of the project. */
  const locked = <T>(projectKey: string, work: Work<T>) =>
    writer.transact(async (connection) => {
      await connection.run({ text: lockText, values: [projectKey] });
      return work(connection);
    }, projectKey);
  return {
    async setRules(projectKey, version) {
      const values = [projectKey, epochOf(projectKey, writer.commitOptions.epoch), version];
      await writer.transact((connection) => connection.run({ text: raiseText, values }), projectKey);
    },
    async rulesVersion(projectKey) {
      const [row] = await read<{ rules: number }>('rules-version', versionText, [projectKey]);
      return row?.rules ?? 0;
    },
    async marked(projectKey, mark, limit, afterId = '') {
      const rows = await read<{ id: string }>('marked', markedText, [projectKey, mark, afterId, limit]);
      return rows.map(({ id }) => id);
    },
    contested: (projectKey, beginning, limit) =>
      contestedMarks(
        (mark, id, most) => read<MarkRow>('marks-behind', behindText, [projectKey, mark, id, most]),
        beginning,
        limit,
      ),
    mark: (projectKey, items, beginnings) =>
      locked(projectKey, async (connection) => {
        const values = [projectKey, items.map(({ id }) => id)];
        const rows = await connection.query<Present>({ text: presentText, values });
        const present = new Map(rows.map((row) => [row.id, row]));
        const unchanged = items.filter(({ id, version, incarnation = null }) => {
          const found = present.get(id);
          return found?.version === version && found.incarnation === incarnation;
        });
        const next = new Map(unchanged.map(({ id, marks }) => [id, new Set(marks)]));
        const before = await connection.query<MarkRow>({ text: marksText, values: [projectKey, [...next.keys()]] });
        const removed = before.filter(
          ({ id, mark }) => !next.get(id)!.has(mark) && beginnings.some((each) => mark.startsWith(each)),
        );
        const remove = ({ id, mark }: MarkRow) =>
          connection.run({ name: 'remove-mark', text: removeText, values: [projectKey, mark, id] });
        await Promise.all(removed.map(remove));
        const kept = [...next].flatMap(([id, marks]) => [...marks].map((mark) => ({ id, mark })));
        const columns = [kept.map(({ id }) => id), kept.map(({ mark }) => mark)];
        await connection.run({ text: addText, values: [projectKey, ...columns] });
      }),
    unmark: (projectKey, beginning, limit) =>
      locked(projectKey, (connection) =>
        connection.run({ text: removePortionText, values: [projectKey, beginning, limit] }),
      ),
  };
}
