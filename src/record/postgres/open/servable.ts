import { StoreRefused } from '../../engine.ts';
import { type Connection, plannerSettings } from './connection.ts';
import { codeOf, sqlState } from './errors.ts';
import { hasCitus } from './migrate.ts';

/** What a server says of itself. */
interface ServerFacts {
  readonly encoding: string;
  readonly version: number;
  readonly fsync: string;
  readonly pages: string;
  readonly commit: string;
}

/** The settings without which a crash or a power failure may lose what was acknowledged. */
const durabilityText = `current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
  current_setting('synchronous_commit') AS commit`;

const minVersion = 150_000;

/** Throws `StoreRefused` for a server that may lose acknowledged writes, or that cannot keep all texts. */
export async function assertServable(connection: Connection): Promise<void> {
  const [facts] = await connection.query<ServerFacts>({
    text: `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version, ${durabilityText}`,
  });
  const { encoding, version } = facts!;
  const problems = [
    version < minVersion && 'PostgreSQL 15 or later is needed',
    encoding !== 'UTF8' && `the encoding of the database must be UTF8, not ${encoding}`,
    ...durabilityProblems(facts!),
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new StoreRefused(`The database cannot be used: ${problems.join('; ')}.`);
}

type DurabilityFacts = Pick<ServerFacts, 'fsync' | 'pages' | 'commit'>;

function durabilityProblems({ fsync, pages, commit }: DurabilityFacts): readonly (string | false)[] {
  return [
    fsync !== 'on' && 'fsync is off: acknowledged writes would be lost in a power failure',
    pages !== 'on' && 'full_page_writes is off: a crash may damage pages',
    ['off', 'local'].includes(commit) && `synchronous_commit is ${commit}`,
  ];
}

/** A node of a cluster; `facts` are missing if it did not respond. */
export interface NodeFacts {
  readonly name: string;
  readonly facts: (DurabilityFacts & Readonly<Record<string, string>>) | undefined;
}

/** How long a start waits for the nodes. */
const askMs = 5000;

const plannerNames = Object.keys(plannerSettings);

/** What each node sets for the sessions that other nodes have with it; undefined without a cluster. */
export async function readNodes(connection: Connection): Promise<readonly NodeFacts[] | undefined> {
  if (!(await hasCitus(connection))) return undefined;
  const planner = plannerNames.map((name) => `current_setting('${name}') AS ${name}`).join(', ');
  const command = `SELECT row_to_json(f)::text FROM (SELECT ${durabilityText}, ${planner}) f`;
  const statement = {
    text: `SELECT n.nodename || ':' || n.nodeport AS name, c.success, c.result
      FROM run_command_on_all_nodes($1, give_warning_for_connection_errors => true) c JOIN pg_dist_node n USING (nodeid)
      WHERE n.noderole = 'primary' ORDER BY 1`,
    values: [command],
  };
  await connection.run({ text: 'BEGIN' });
  try {
    await connection.run({ text: `SET LOCAL statement_timeout = ${askMs}` });
    const rows = await connection.query<{ name: string; success: boolean; result: string }>(statement);
    return rows.map(({ name, success, result }) => ({ name, facts: success ? JSON.parse(result) : undefined }));
  } catch (error) {
    if (codeOf(error) !== sqlState.cancelled) throw error;
    return [{ name: '(which one is not known)', facts: undefined }];
  } finally {
    if (connection.inTransaction()) await connection.run({ text: 'ROLLBACK' });
  }
}

/** Throws `StoreRefused` if a node may lose acknowledged writes; returns what else an operator should know. */
export function inspectNodes(nodes: readonly NodeFacts[]): readonly string[] {
  const refused = nodes.flatMap(({ name, facts }) =>
    facts ? durabilityProblems(facts).flatMap((problem) => (problem === false ? [] : [`${name}: ${problem}`])) : [],
  );
  if (refused.length > 0) {
    throw new StoreRefused(`The cluster cannot be used: ${refused.join('; ')}. “grs migrate” sets synchronous_commit.`);
  }
  return nodes.flatMap(({ name, facts }) => {
    if (facts === undefined) return [`node ${name} does not respond: whether its settings are safe is not known`];
    const others = Object.entries(plannerSettings).filter(([setting, value]) => facts[setting] !== value);
    if (others.length === 0) return [];
    const found = others.map(([setting]) => `${setting} = ${facts[setting]}`).join(', ');
    return [`node ${name} has ${found}, which makes plans slow: run “grs migrate” with the address of the coordinator`];
  });
}

/**
 * Sets for the role, in this database and on all nodes, what a session of the service sets for itself: settings of a
 * session do not reach the sessions that its node has with others.
 */
export async function setRoleSettings(connection: Connection): Promise<void> {
  const nodes = (await readNodes(connection)) ?? [];
  const facts = nodes.flatMap((node) => (node.facts ? [node.facts] : []));
  const isSlow = facts.some((each) => Object.entries(plannerSettings).some(([name, value]) => each[name] !== value));
  const mayLose = facts.some(({ commit }) => ['off', 'local'].includes(commit));
  const wanted = { ...(isSlow && plannerSettings), ...(mayLose && { synchronous_commit: 'on' }) };
  if (Object.keys(wanted).length === 0) return;
  const [names] = await connection.query<{ database: string }>({
    text: 'SELECT quote_ident(current_database()) AS database',
  });
  for (const [name, value] of Object.entries(wanted)) {
    const text = `ALTER ROLE CURRENT_USER IN DATABASE ${names!.database} SET ${name} = '${value}'`;
    await connection.run({ text });
  }
}
