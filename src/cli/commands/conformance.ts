import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import {
  type Access,
  allChecks,
  type CheckResult,
  grantToken,
  NoToken,
  openApi,
  reportLines,
  runChecks,
} from '#conformance';
import { UsageError } from '../command.ts';
import { baseUrlOf, credentialsOf } from '../remote.ts';

export const help = `Check any implementation of the interface from outside, and report endpoint by endpoint what holds.

Usage:
  npx grs conformance --url <base URL> --client <id:secret | file> [options]
  npx grs conformance --url <base URL> --token <token> --project <key> [options]

Options:
  --url <base URL>    what stands before /{projectKey}
  --client <client>   id and secret with a colon between them, or a JSON file with clientId and clientSecret. It must be
                      allowed manage_test, view_test and manage_products; the token comes from <base URL>/oauth/token
  --token <token>     a token with manage_test and manage_products, where tokens come from elsewhere
  --view-token <t>    with --token: one with view_test alone
  --project <key>     the project to write to; default: a new name, where --client may be used for any project
  --level interface   only what the interface itself says; default: also what this service decided where it is silent
  --endpoint <name>   only these, such as E10; may be repeated
  --timeout <ms>      the most that one request may take; default: 10000
  --json              the results as JSON

What the checks create they delete, but the documents of the backend (E14, E18) stay changed: use a project of its own.
Exit codes: 0 everything holds, 1 something does not or no token was given, 2 wrong arguments.

Example: this service, with its administrator client
  npx grs conformance --url http://127.0.0.1:8080 --client data/admin-client.json`;

export const needsArguments = true;

const options = {
  url: { type: 'string' },
  client: { type: 'string' },
  token: { type: 'string' },
  'view-token': { type: 'string' },
  project: { type: 'string' },
  level: { type: 'string' },
  endpoint: { type: 'string', multiple: true },
  timeout: { type: 'string', default: '10000' },
  json: { type: 'boolean', default: false },
} as const;

type Values = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];
type Tokens = Access['tokens'];

/** Runs `grs conformance`. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  const baseUrl = baseUrlOf(values.url);
  const checks = chosenChecks(values);
  const project = values.project ?? `conformance-${randomUUID().slice(0, 8)}`;
  let tokens: Tokens;
  try {
    tokens = await openTokens(values, baseUrl, project);
  } catch (error) {
    if (!(error instanceof NoToken)) throw error;
    console.error(`grs conformance: ${error.message}`);
    return 1;
  }
  const results = await runChecks(openApi({ baseUrl, project, tokens, timeoutMs: timeoutOf(values) }), checks);
  if (values.json) console.log(JSON.stringify({ url: baseUrl, project, results }, undefined, 2));
  else console.log([`Conformance of ${baseUrl}, project ${project}`, '', ...reportLines(results)].join('\n'));
  return results.every(({ deviation }: CheckResult) => deviation === undefined) ? 0 : 1;
}

function timeoutOf({ timeout }: Values): number {
  if (!/^[1-9]\d{0,6}$/.test(timeout)) throw new UsageError('--timeout: expected milliseconds, from 1 to 9999999');
  return Number(timeout);
}

function chosenChecks({ level, endpoint, token, 'view-token': viewToken }: Values): typeof allChecks {
  if (level !== undefined && level !== 'interface') throw new UsageError('--level: only “interface” is possible');
  const known = new Set<string>(allChecks.map((check) => check.endpoint));
  const unknown = endpoint?.find((name) => !known.has(name));
  if (unknown !== undefined) throw new UsageError(`--endpoint ${unknown}: expected one of ${[...known].join(', ')}`);
  return allChecks.filter((check) => {
    if (level !== undefined && check.level !== level) return false;
    // Without a token of view_test there is nothing to check it with.
    if (token !== undefined && viewToken === undefined && check.claim.startsWith('view_test')) return false;
    return endpoint === undefined || endpoint.includes(check.endpoint);
  });
}

/** The tokens that were given, or new ones for the client. */
async function openTokens(
  { client, token, 'view-token': view, project: given }: Values,
  baseUrl: string,
  project: string,
): Promise<Tokens> {
  if (token !== undefined) {
    if (given === undefined) throw new UsageError('--token is for one project: give its --project');
    return { manage: token, view };
  }
  if (client === undefined) throw new UsageError('expected --client or --token');
  const { clientId, clientSecret } = credentialsOf(client);
  const credentials = `${clientId}:${clientSecret}`;
  return {
    manage: await grantToken(baseUrl, credentials, `manage_test:${project} manage_products:${project}`),
    view: await grantToken(baseUrl, credentials, `view_test:${project}`),
  };
}
