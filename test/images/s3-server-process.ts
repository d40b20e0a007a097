import { randomUUID } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** Object storage for tests, in a process of its own: `s3-server-process.ts <folder> <port>`. Tells its port when it listens. */
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver');
const [folder, port] = process.argv.slice(2);
const server = new S3rver({
  ...{ directory: folder, address: '127.0.0.1', port: Number(port), silent: true, vhostBuckets: false },
  configureBuckets: [{ name: 'pictures' }],
});

/** Object storage keeps an object whole or not at all. This one writes in place: so it is given a place beside. */
const { store } = server;
const putContent = store.putContent.bind(store);
store.putContent = async (path: string, content: unknown) => {
  const beside = `${path}.${randomUUID()}`;
  const put = await putContent(beside, content);
  await rename(beside, path);
  return put;
};

const address = await server.run();
process.send!(address.port);
process.once('disconnect', () => process.exit());
