import type { SystemColumn } from '../plan/compile-column.ts';
import { raw, type Sql, sql } from '../plan/sql.ts';

/**
 * The resources as `r`, by the index or the table that has them in the order of a system column. Queries name it, so that
 * no statistics lead SQLite to another one.
 */
const resourcesBy: Readonly<Record<SystemColumn, Sql>> = {
  id: raw('resource r INDEXED BY sqlite_autoindex_resource_1'),
  key: raw('resource r INDEXED BY resource_key'),
  version: followed('by_version', 'version'),
  createdAt: followed('by_created', 'created_at'),
  lastModifiedAt: followed('by_modified', 'modified_at'),
};

/**
 * The resources of a project as `r`, by the index or the table of a system column, with the first condition. Those that the indexes
 * leave out are not among them.
 */
export function resourcesOf(projectKey: string, column: SystemColumn): Sql {
  const intact = raw(column === 'id' || column === 'key' ? ' AND r.row NOT IN (SELECT row FROM damaged)' : '');
  return sql`${resourcesBy[column]} WHERE r.project_key = ${projectKey}${intact}`;
}

/** A table of followed-orders.ts. SQLite leaves the join out of a query that needs none of its columns. */
function followed(table: string, column: 'version' | 'created_at' | 'modified_at'): Sql {
  const others = ['key', 'version', 'created_at', 'modified_at', 'current', 'staged'].filter((name) => name !== column);
  const own = ['row', 'project_key', 'id', column].map((name) => `o.${name} AS ${name}`);
  const columns = [...own, ...others.map((name) => `d.${name} AS ${name}`)].join(', ');
  // The sign keeps SQLite from beginning with `resource`.
  return raw(`(SELECT ${columns} FROM ${table} o LEFT JOIN resource d ON d.row = +o.row) r`);
}
