import type { DatabaseSync } from 'node:sqlite';
import { maxCounted } from '../../../sqlite/position.ts';
import type { Write } from '../../row/write.ts';

/** The version of the types of a project, as the first column; no row where there is none, or it is damaged. */
export const rulesVersion = `SELECT version FROM project_rules WHERE project_key = ? AND version BETWEEN 0 AND ${maxCounted}`;

function prepareAll(db: DatabaseSync) {
  const rows = (sql: string) => {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    version: rows(rulesVersion),
    ofOther: rows('SELECT 1 FROM mark WHERE project_key = ? AND mark = ? AND id <> ? LIMIT 1'),
    resource: rows('SELECT 1 FROM resource WHERE project_key = ? AND id = ? AND version = ? AND incarnation IS ?'),
    marks: rows('SELECT mark FROM mark WHERE project_key = ? AND id = ?'),
    add: db.prepare('INSERT OR IGNORE INTO mark VALUES (?, ?, ?)'),
    remove: db.prepare('DELETE FROM mark WHERE project_key = ? AND mark = ? AND id = ?'),
  };
}

/** Holds changes to what the types of their project say (`ChangeRules`), inside the open transaction. */
export class Marks {
  readonly #sql: ReturnType<typeof prepareAll>;
  /** Of the types, by project, as this transaction has read them. */
  readonly #versions = new Map<string, number>();

  constructor(db: DatabaseSync) {
    this.#sql = prepareAll(db);
  }

  /** To be called before the first change of a transaction. */
  begin(): void {
    this.#versions.clear();
  }

  /** True for a change that has to be decided again. */
  areBroken({ kind, projectKey, id, rules }: Write): boolean {
    if (kind === 'response' || projectKey.includes('~')) return false;
    if (this.#versionOf(projectKey) > (rules?.version ?? 0)) return true;
    if (!rules) return false;
    const isOfOther = (mark: string) => this.#sql.ofOther.get(projectKey, mark, id) !== undefined;
    return (
      rules.unique.some(isOfOther) ||
      rules.forbidden.some(isOfOther) ||
      rules.needs.some((need) => !this.#sql.resource.get(projectKey, need.id, need.version, need.incarnation ?? null))
    );
  }

  /** Gives the resource of a change that was made its marks. */
  replace({ projectKey, id, rules }: Write): void {
    if (!rules) return;
    const rows = this.#sql.marks.all(projectKey, id) as unknown as readonly (readonly [string])[];
    const others = new Set(rows.map(([mark]) => mark));
    for (const mark of rules.marks) if (!others.delete(mark)) this.#sql.add.run(projectKey, mark, id);
    for (const mark of others) this.#sql.remove.run(projectKey, mark, id);
  }

  #versionOf(projectKey: string): number {
    let version = this.#versions.get(projectKey);
    if (version === undefined) {
      [version] = (this.#sql.version.get(projectKey) ?? [0]) as unknown as readonly [number];
      this.#versions.set(projectKey, version);
    }
    return version;
  }
}
