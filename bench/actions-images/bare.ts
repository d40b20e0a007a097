/**
 * The ceiling of backend actions and images: bare node:http that returns the same bytes out of memory. Takes arguments
 * of the form `<path>=<media type>=<file>`, and prints its port.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type BareAnswer, bareTag } from './bare-answer.ts';

const answers = new Map(
  process.argv.slice(2).map((argument): [string, BareAnswer] => {
    const [path = '', type = '', file = ''] = argument.split('=');
    const body = readFileSync(file);
    const headers = { 'content-type': type, 'content-length': String(body.length), etag: bareTag };
    // Short texts are fastest as strings, everything else as bytes.
    return [path, { headers, body: type.startsWith('application/json') ? body.toString() : body }];
  }),
);

const server = createServer((request, response) => {
  request.resume();
  const answer = answers.get(request.url ?? '');
  if (answer === undefined) response.writeHead(404, { 'content-length': '0' }).end();
  else if (request.headers['if-none-match'] === bareTag) response.writeHead(304, { etag: bareTag }).end();
  else response.writeHead(200, answer.headers).end(request.method === 'HEAD' ? undefined : answer.body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
