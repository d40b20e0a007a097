/** What is a change of the log, in SQL over `change`; the others are there for the indexes alone. */
export const isLogged = 'id IS NOT NULL';

/** What a change of the log takes, about, in SQL over `change`: its texts, and a hundred bytes for the rest. */
export const loggedBytes = 'coalesce(octet_length(before), 0) + octet_length(id) + octet_length(origin) + 100';

/**
 * The last change of a project that its log no longer has, in SQL over `store` with the project as a parameter; NULL where
 * the store keeps no history.
 */
export const prunedSequence = 'max(log_from, coalesce((SELECT pruned FROM project_log WHERE project_key = ?), 0))';

/** The last deletion of an id, or the change that forgot it, in SQL with project and id as parameters. */
export const lastGone =
  "(SELECT max(sequence) FROM change INDEXED BY change_gone WHERE project_key = ? AND id = ? AND type IN ('deleted', 'forgotten'))";

/** The columns of a `LogRow`. */
export const logColumns = 'sequence, project_key, id, key, version, incarnation, previous, type, at, client, origin';
