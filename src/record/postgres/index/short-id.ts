/**
 * Ids as the entries of ordered values have them: those that the service makes as the 16 bytes that they stand for,
 * all others as their text behind a byte that no text has. The twin of `grs_id` of the migrations.
 */

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const uuidBytes = 16;

/** The short form of an id, in hexadecimal digits. */
export function shortId(id: string): string {
  if (uuidForm.test(id)) return id.replaceAll('-', '');
  const digits = `ff${Buffer.from(id).toString('hex')}`;
  // Not to be taken for a UUID.
  return digits.length === 2 * uuidBytes ? `ff${digits}` : digits;
}
