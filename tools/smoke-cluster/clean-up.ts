import { Client } from 'pg';
import { searchesProjectOf } from '../../src/domain/search/counts/search-counts.ts';
import { settingsProjectOf } from '../../src/domain/settings/stored-settings.ts';
import { allTables } from '../../src/record/postgres/open/migrate.ts';

/** Deletes all rows of the projects, of their settings and of what they were searched for, each project for itself: on a cluster one statement then is for one server. */
export async function cleanUp(url: string, projects: readonly string[]): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  let count = 0;
  try {
    for (const table of allTables()) {
      for (const project of projects.flatMap((own) => [own, settingsProjectOf(own), searchesProjectOf(own)])) {
        const { rowCount } = await client.query(`DELETE FROM ${table} WHERE project_key = $1`, [project]);
        count += rowCount ?? 0;
      }
    }
    return count;
  } finally {
    await client.end();
  }
}
