/**
 * The columns of `resource` that a row is stored in, in the order of `ResourceColumns`, then what a checksum over them is. Times
 * may be left out of them (see stored-row.ts): `created_at` and `modified_at` are generated, for conditions and orders.
 */
export const ownColumns = [
  ...['project_key', 'id', 'key', 'version', 'own_created_at', 'own_modified_at', 'current', 'staged', 'history'],
  'checksum',
] as const;

/** The columns of a `StoredRow`, for a SELECT whose rows come as arrays or with their names. */
export const storedColumns = ownColumns
  .map((name) => (name.startsWith('own_') ? `${name} AS ${name.slice('own_'.length)}` : name))
  .join(', ');
