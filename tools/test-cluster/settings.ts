import { connectOnce } from '../../src/record/postgres/open/connection.ts';
import { inspectNodes, readNodes } from '../../src/record/postgres/open/servable.ts';
import { recordStatements } from '../smoke-cluster/recorded.ts';
import { tableStatements, withClient } from '../smoke-cluster/shards.ts';
import { creation, document, listOf, openStore, type TrialResult } from './projects.ts';

/** The settings of each node, and whether the plans of the workers use the indexes. */
export async function trySettings(url: string, projects: readonly string[]): Promise<TrialResult> {
  const connection = await connectOnce(url);
  const nodes = (await readNodes(connection)) ?? [];
  await connection.close();
  const lines = nodes.map(({ name, facts }) => `node ${name}: ${facts ? JSON.stringify(facts) : 'no response'}`);
  const scans = await sequentialScans(url, projects);
  return { lines: [...lines, `${scans.asked} plans looked at`], problems: [...inspectNodes(nodes), ...scans.found] };
}

/** Statements whose plan reads a table from end to end on some node. */
async function sequentialScans(url: string, projects: readonly string[]) {
  const recorder = recordStatements();
  const store = await openStore(url, { declaredPaths: ['price'] });
  for (const project of projects.slice(0, 4)) {
    for (let n = 0; n < 20; n += 1) {
      await store.resources.commit(creation(project, document(`plan-${n}`, 1, { price: n, name: `n${n}` })));
    }
    await store.resources.get(project, 'plan-1');
    for (const where of ['name = "n3"', 'price > 18', 'id = "plan-1"'])
      await store.resources.list(listOf(project, where));
  }
  await store.close();
  const statements = tableStatements(recorder.stop());
  // What is asked about all projects reads all of a table.
  const asked = statements.filter(({ text }) => /project_key = \$1|project_key = \$\d+::text/.test(text));
  const found: string[] = [];
  await withClient(url, async (client) => {
    for (const { text, values } of asked) {
      const { rows } = await client.query(`EXPLAIN ${text}`, [...values]);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      if (/Seq Scan on \w+_\d+/.test(plan))
        found.push(`a sequential scan: ${text.replaceAll(/\s+/g, ' ').slice(0, 100)}`);
    }
  });
  return { asked: asked.length, found };
}
