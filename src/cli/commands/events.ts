import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Event, type EventOptions, ServiceError } from '#client';
import { version } from '../../version.ts';
import { createSecret, secretProblem, signedHeaders } from '../../webhooks/message/signature.ts';
import { UsageError } from '../command.ts';
import { baseUrlOf, httpUrl, openRemote, remoteHelp, remoteOptions } from '../remote.ts';
import { projectOf } from '../store.ts';

export const help = `Follow the changes of a project over HTTP, and forward them to a receiver while you write it.

Usage:
  npx grs events listen --url <base URL> --project <key> --client <id:secret | file> [options]
  npx grs events listen --url <base URL> --project <key> --token <token> [options]

Options:
${remoteHelp}
  --project <key>     the project to follow
  --forward-to <url>  deliver each event there, signed as a subscription signs it; one attempt, in order
  --secret <secret>   sign with this secret: whsec_ and base64; default: a new one, which is printed
  --types <names>     only these types, separated by commas, such as created,updated
  --include resource  events have the resource after the change
  --after <cursor>    latest, oldest, or the id of an event; default: latest
  --json              print events whole, a line each

The client or the token must be allowed view_test. Each event is one line: time, type, resource and version, and what the receiver answered. Ctrl-C ends it.

Example: deliveries to a receiver on this machine, without a subscription
  npx grs events listen --url http://127.0.0.1:8080 --project my-shop --client data/admin-client.json \\
    --forward-to http://127.0.0.1:3000/hook`;

export const needsArguments = true;

const options = {
  ...remoteOptions,
  project: { type: 'string' },
  'forward-to': { type: 'string' },
  secret: { type: 'string' },
  types: { type: 'string' },
  include: { type: 'string' },
  after: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const;

const forwardTimeoutMs = 15_000;

/** Runs `grs events`. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (positionals.join(' ') !== 'listen') throw new UsageError('only “grs events listen” is possible');
  const { types, after = 'latest', json } = values;
  const project = projectOf(values.project);
  const client = openRemote(values, project, 'view_test', tellingFetch);
  const baseUrl = baseUrlOf(values.url);
  const problem = values.secret === undefined ? undefined : secretProblem(values.secret);
  if (problem !== undefined) throw new UsageError(`--secret: ${problem}`);
  const secret = values.secret ?? createSecret(randomBytes);
  const forwardTo = values['forward-to'] === undefined ? undefined : httpUrl('--forward-to', values['forward-to']);
  console.error(`Listening to ${baseUrl}/${project}/events`);
  if (forwardTo !== undefined) console.error(`Forwarding to ${forwardTo}`);
  if (forwardTo !== undefined && values.secret === undefined) console.error(`Signing with ${secret}`);
  // The service says what may be in both.
  const filter = { types: types?.split(','), include: values.include } as Pick<EventOptions, 'types' | 'include'>;
  try {
    for await (const event of client.events({ after, ...filter })) await show({ forwardTo, secret, json }, event);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    console.error(`${baseUrl}: ${error.status} ${error.errors[0]?.detailedErrorMessage ?? error.message}`);
  }
  return 1;
}

/** As `fetch`. Says why the client tries again. */
async function tellingFetch(...request: Parameters<typeof fetch>): Promise<Response> {
  const tell = (problem: string) => console.error(`The service cannot be reached, trying again: ${problem}`);
  try {
    const response = await fetch(...request);
    if (response.status >= 500 || response.status === 429) tell(`HTTP ${response.status}`);
    return response;
  } catch (error) {
    tell(String((error as Error).cause ?? error));
    throw error;
  }
}

interface Showing {
  readonly forwardTo: string | undefined;
  readonly secret: string;
  readonly json: boolean;
}

async function show({ forwardTo, secret, json }: Showing, event: Event): Promise<void> {
  // With every digit that came.
  const body = JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value));
  const { id, type, at, resource } = event;
  const answer = forwardTo === undefined ? '' : `  ${await forward(forwardTo, secret, id, body)}`;
  console.log(json ? body : `${at}  ${type.padEnd(13)}  ${resource.id} ${resource.version}${answer}`);
}

/** That of the service, since receivers may look at it. */
const userAgent = `generic-resource-service/${version}`;

/** Delivers an event. Returns what the receiver answered. */
async function forward(url: string, secret: string, id: string, body: string): Promise<string> {
  const signed = signedHeaders({ id, timestampSeconds: Math.floor(Date.now() / 1000), body }, [secret]);
  const startedMs = performance.now();
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(forwardTimeoutMs),
    });
    await response.body?.cancel();
    return `→ ${response.status} in ${Math.round(performance.now() - startedMs)} ms`;
  } catch (error) {
    return `→ ${String((error as Error).cause ?? error)}`;
  }
}
