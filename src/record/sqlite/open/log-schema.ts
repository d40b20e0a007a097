import { maxCounted } from '../../../sqlite/position.ts';
import { recordChecksum } from '../../row/change-record.ts';
import { type LogRow, logChecksum } from '../../row/logged-change.ts';

/** What is a change of the log, in SQL over `change`; the others are there for the indexes alone. */
export const isLogged = 'id IS NOT NULL';

/** The changes of the log that are in no index yet, in SQL over `change`: there are few. */
export const isUnlisted = `sequence > (SELECT indexed FROM store) AND sequence <= ${maxCounted} AND ${isLogged}`;

/**
 * The last change of a project in the log, in SQL with the project as two parameters; NULL where it has none. The list of the
 * changes of a project follows them, as all indexes do.
 */
export const lastOfProject = `coalesce(
  (SELECT sequence FROM change WHERE ${isUnlisted} AND project_key = ? ORDER BY sequence DESC LIMIT 1),
  (SELECT max(sequence) FROM project_change WHERE project_key = ? AND sequence <= ${maxCounted}))`;

/** What a change of the log takes, about, in SQL over `change`: its texts, and a hundred bytes for the rest. */
export const loggedBytes = 'coalesce(octet_length(before), 0) + octet_length(id) + octet_length(origin) + 100';

/**
 * The last change of a project that its log no longer has, in SQL over `store` with the project as a parameter; NULL where
 * the store keeps no history.
 */
export const prunedSequence = `max(log_from, coalesce((SELECT pruned FROM project_log WHERE project_key = ? AND pruned <= ${maxCounted}), 0))`;

/** The last deletion of an id, or the change that forgot it, in SQL with project and id as parameters. */
export const lastGone =
  "(SELECT max(sequence) FROM change INDEXED BY change_gone WHERE project_key = ? AND id = ? AND type IN ('deleted', 'forgotten'))";

/** The columns of a `LogRow`. */
export const logColumns = 'sequence, project_key, id, key, version, incarnation, previous, type, at, client, origin';

/** A change of the log with its checksums. */
export type StoredChange = LogRow & {
  readonly row: number;
  readonly checksum: number;
  readonly log_checksum: number;
  readonly before: string | null;
};

/** The columns of a `StoredChange`. */
export const storedColumns = `${logColumns}, row, checksum, log_checksum, before`;

/** True where a change is what was written. */
export function isIntactChange(change: StoredChange): boolean {
  const { sequence, project_key: projectKey, row, before } = change;
  return (
    change.checksum === recordChecksum({ sequence, projectKey, row, before }) &&
    change.log_checksum === logChecksum(change)
  );
}
