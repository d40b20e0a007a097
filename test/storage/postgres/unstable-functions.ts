import { Client } from 'pg';

/** The oids of functions and types in a list, where what they name is not immutable. */
const unstableText = `SELECT p.proname AS name FROM pg_proc p WHERE p.oid = ANY ($1::oid[]) AND p.provolatile <> 'i'
  UNION SELECT 'a text as ' || t.typname FROM pg_type t JOIN pg_proc p ON p.oid = t.typinput
  WHERE t.oid = ANY ($2::oid[]) AND p.provolatile <> 'i'`;

/**
 * The functions that a statement calls and that are not immutable, as PostgreSQL parses it; with those that read a value
 * from a text. Citus refuses them in an UPDATE or a DELETE where they depend on a row.
 */
export async function unstableFunctions(url: string, texts: readonly string[]): Promise<readonly string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const found: string[] = [];
  try {
    for (const text of texts) {
      await client.query('BEGIN');
      await client.query(`PREPARE probe AS ${text}`);
      const { rows: types } = await client.query<{ type: string }>(
        `SELECT unnest(parameter_types)::text AS type FROM pg_prepared_statements WHERE name = 'probe'`,
      );
      const parameters = types.map(({ type }) => type).join(', ');
      // A function with a body of standard SQL is kept as a tree, which names all that it depends on.
      await client.query(
        `CREATE FUNCTION grs_probe(${parameters}) RETURNS void LANGUAGE sql BEGIN ATOMIC ${text.replace(/;\s*$/, '')}; END`,
      );
      const { rows } = await client.query<{ tree: string }>(
        `SELECT prosqlbody::text AS tree FROM pg_proc WHERE oid = 'grs_probe'::regproc`,
      );
      const oids = (pattern: RegExp) => [...rows[0]!.tree.matchAll(pattern)].map(([, oid]) => oid);
      const called = oids(/:(?:op)?funcid (\d+)/g);
      const read = oids(/\{COERCEVIAIO\b(?:(?!:resulttype).)*:resulttype (\d+)/gs);
      const unstable = await client.query<{ name: string }>(unstableText, [called, read]);
      found.push(...unstable.rows.map(({ name }) => `${name}: ${text}`));
      await client.query('ROLLBACK');
      await client.query('DEALLOCATE probe');
    }
    return found;
  } finally {
    await client.end();
  }
}
