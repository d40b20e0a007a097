/** The ceiling of every ratio: bare node:http that returns a prepared 1 KB, with nothing behind it. */
import { createServer } from 'node:http';

const body = JSON.stringify({ id: 'x'.repeat(36), text: 'y'.repeat(1024 - 36 - 19) });
const headers = {
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(body)),
};
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers);
  response.end(body);
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 })}\n`);
});
