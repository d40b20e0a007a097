import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NoToken } from '#conformance';
import type { JsonObject } from '../../contract/json.ts';
import { parseStoredJson, stringifyJson } from '../../domain/json/parse.ts';
import { version } from '../../version.ts';
import { createSecret, secretProblem, signedHeaders } from '../../webhooks/message/signature.ts';
import { UsageError } from '../command.ts';
import { httpUrl, readRemote, remoteHelp, remoteOptions } from '../remote.ts';
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

type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>['values'];

/** Between two tries to reach the service. */
const reconnectMs = 1000;
const waitSeconds = 20;
const forwardTimeoutMs = 15_000;

/** Runs `grs events`. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  if (positionals.join(' ') !== 'listen') throw new UsageError('only “grs events listen” is possible');
  return listen(readOptions(values));
}

type Listening = ReturnType<typeof readOptions>;

function readOptions(values: Values) {
  const { secret, types, include, after = 'latest', json } = values;
  const project = projectOf(values.project);
  const remote = readRemote(values, `view_test:${project}`);
  const problem = secret === undefined ? undefined : secretProblem(secret);
  if (problem !== undefined) throw new UsageError(`--secret: ${problem}`);
  const forwardTo = values['forward-to'];
  return {
    ...{ remote, project, after, json },
    forwardTo: forwardTo === undefined ? undefined : httpUrl('--forward-to', forwardTo),
    secret: secret ?? createSecret(randomBytes),
    isOwnSecret: secret === undefined,
    filter: { ...(types !== undefined && { types }), ...(include !== undefined && { include }) },
  };
}

/** An event as this command reads it. */
interface Event {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly resource: { readonly id: string; readonly version: number };
}

interface Page {
  readonly results: readonly Event[];
  readonly next: string;
}

/** Reads the feed page by page, until the service refuses. Returns the exit code. */
async function listen(listening: Listening): Promise<number> {
  const { remote, project, forwardTo, secret, isOwnSecret, filter } = listening;
  const { baseUrl } = remote;
  console.error(`Listening to ${baseUrl}/${project}/events`);
  if (forwardTo !== undefined) console.error(`Forwarding to ${forwardTo}`);
  if (forwardTo !== undefined && isOwnSecret) console.error(`Signing with ${secret}`);
  let { after } = listening;
  let token: string | undefined;
  /** The token was not accepted yet. */
  let isFresh = true;
  for (;;) {
    try {
      token ??= await remote.token();
    } catch (error) {
      if (!(error instanceof NoToken)) throw error;
      console.error(error.message);
      return 1;
    }
    // After `latest` the first page only says where that is.
    const wait = after === 'latest' ? '0' : String(waitSeconds);
    const query = new URLSearchParams({ after, limit: '100', wait, ...filter });
    const response = await fetch(`${baseUrl}/${project}/events?${query}`, {
      headers: { authorization: `Bearer ${token}` },
    }).catch((error: Error) => error);
    if (response instanceof Error || response.status >= 500 || response.status === 429) {
      const problem = response instanceof Error ? String(response.cause ?? response) : `HTTP ${response.status}`;
      console.error(`The service cannot be reached, trying again: ${problem}`);
      await pause(reconnectMs);
      continue;
    }
    const text = await response.text();
    if (response.status === 401 && remote.dropToken() && !isFresh) {
      [token, isFresh] = [undefined, true];
      continue;
    }
    if (response.status !== 200) {
      console.error(`GET ${response.url}: ${response.status} ${text}`);
      return 1;
    }
    isFresh = false;
    const { results, next } = parseStoredJson(text) as unknown as Page;
    for (const event of results) await show(listening, event);
    after = next;
  }
}

async function show({ forwardTo, secret, json }: Listening, event: Event): Promise<void> {
  // With every digit that came.
  const body = stringifyJson(event as unknown as JsonObject);
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
