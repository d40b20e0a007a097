/**
 * The driver alone: node:http that serves a request with nothing but the statements that the service sends for it. These
 * are learnt from the service itself, request by request, before the measuring; then they are played back by `pg`. Needs
 * DATABASE_URL, and how many resources. Prints one line of JSON: its port, and the ids of the resources.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { Client, Pool } from 'pg';
import { processEnvironment } from '../../src/config/environment.ts';
import { trials } from '../trials.ts';
import { learn, type Played, recordStatements } from './learn.ts';

const url = processEnvironment().DATABASE_URL ?? '';
const recorder = recordStatements(Client);
const learnt = await learn(url, Number(process.argv[2]), recorder);
recorder.stop();

// As many connections as the service has, statements sent at once as the service sends them.
const pool = new Pool({ connectionString: url, max: 16, pipeline: true } as ConstructorParameters<typeof Pool>[0]);
const creates = learnt.creates[Symbol.iterator]();

function statementsOf({ method, url: target = '' }: IncomingMessage): Played {
  if (method === 'POST' && target === learnt.collection) return creates.next().value ?? { statements: [], body: '' };
  return learnt.others.get(`${method} ${target}`) ?? { statements: [], body: '' };
}

async function play({ statements, body }: Played): Promise<string> {
  const client = await pool.connect();
  try {
    const results = await Promise.all(statements.map((each) => client.query({ ...each, values: [...each.values] })));
    if (body !== undefined) return body;
    return `{"results":[${results
      .at(-1)!
      .rows.map(({ current }) => current)
      .join()}]}`;
  } finally {
    client.release();
  }
}

const created = trials.find(({ name }) => name === 'create')!.expectStatuses[0]!;
const server = createServer((request, response) => {
  request.resume();
  request.on('end', async () => {
    const body = await play(statementsOf(request));
    const status = request.method === 'POST' && request.url === learnt.collection ? created : 200;
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
    response.end(body);
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`${JSON.stringify({ port, ids: learnt.ids })}\n`);
});
