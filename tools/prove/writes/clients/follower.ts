import { request as httpRequest } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Followed, LoggedEvent } from '../record.ts';
import type { World } from '../world.ts';

const accepted = { sse: 'text/event-stream', ndjson: 'application/x-ndjson', pages: 'application/json' } as const;

/** A stream that is cut, by this client or by the end of the service. Tells each whole event. */
async function streamOnce(
  world: World,
  client: number,
  { project, by }: Pick<Followed, 'project' | 'by'>,
  last: string | undefined,
  onEvent: (event: LoggedEvent) => void,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const path = `/${project}/events?include=resource${last === undefined ? '' : `&after=${last}`}`;
  const headers = { accept: accepted[by], authorization: `Bearer ${world.token}` };
  const request = httpRequest({ host: '127.0.0.1', port: world.cluster.of(client).port, path, headers });
  const cut = setTimeout(() => request.destroy(), world.random.integer(50, 3000));
  const poll = setInterval(() => world.isStopped && request.destroy(), 50);
  request.on('error', () => resolve());
  request.on('response', (response) => {
    let rest = '';
    const { statusCode = 0 } = response;
    // A service that has just started may not be able to read yet.
    if (statusCode !== 200 && statusCode !== 503) world.violations.push(`refused: events of ${project}: ${statusCode}`);
    if (statusCode !== 200) return void response.resume().on('close', () => resolve());
    response.setEncoding('utf8').on('data', (part: string) => {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const text = by === 'sse' ? (/^data: (.*)$/.exec(line)?.[1] ?? '') : line;
        if (text === '') continue;
        const event = JSON.parse(text) as LoggedEvent;
        if (event.type !== 'heartbeat') onEvent(event);
      }
    });
    response.on('error', () => resolve()).on('close', () => resolve());
  });
  request.end();
  await promise;
  clearTimeout(cut);
  clearInterval(poll);
}

/** The events behind one, to the end. Those that come while it reads may be among them. */
export async function readLog(
  world: World,
  client: number,
  project: string,
  after: string | undefined,
  wait = 0,
): Promise<{ readonly events: readonly LoggedEvent[]; readonly next: string }> {
  const events: LoggedEvent[] = [];
  for (let next = after; ; ) {
    const path = `/${project}/events?include=resource&limit=100&wait=${wait}${next ? `&after=${next}` : ''}`;
    const { status, text } = await world.cluster.of(client).request({ path, token: world.token });
    if (status !== 200) throw new Error(`events of ${project}: ${status} ${text}`);
    const page = JSON.parse(text);
    events.push(...(page.results as readonly LoggedEvent[]));
    next = page.next as string;
    if (!page.hasMore) return { events, next };
  }
}

/** Follows a project until it has been stopped and everything was read. Its connections are cut again and again. */
export async function follow(world: World, client: number, project: string, by: Followed['by']): Promise<void> {
  const events: LoggedEvent[] = [];
  const last = () => events.at(-1)?.id;
  while (!world.isStopped) {
    if (by !== 'pages') {
      await streamOnce(world, client, { project, by }, last(), (event) => events.push(event));
      await pause(20);
      continue;
    }
    // A page that is lost on its way is read again.
    const read = await readLog(world, client, project, last(), 1).catch(() => undefined);
    if (read) events.push(...read.events);
    await pause(20);
  }
  world.followed.push({ project, by, events });
}
