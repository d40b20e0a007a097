import { endOfNumbers } from '../event-row.ts';
import type { Connection, Statement } from '../open/connection.ts';
import type { ProjectNodes } from '../open/nodes.ts';
import type { Pool } from '../open/pool.ts';

export type Followers = ReturnType<typeof createFollowers>;

export interface FollowersParts {
  readonly pool: Pool;
  readonly nodes: ProjectNodes;
  /** Projects may be on several servers: each is then asked about in a statement of its own. */
  readonly projectsApart: boolean;
}

/** Between two looks at what other processes have committed. */
const lookMs = 50;
/** After a look that failed. */
const failedMs = 500;

const lastText = `SELECT e.sequence FROM event e
  WHERE e.project_key = $1 AND e.sequence < ${endOfNumbers} ORDER BY e.sequence DESC LIMIT 1`;
const lastsText = `SELECT p.project_key, l.sequence FROM unnest($1::text[]) AS p (project_key)
  CROSS JOIN LATERAL (${lastText.replace('$1', 'p.project_key')}) l`;

interface Followed {
  readonly listeners: Set<() => void>;
  /** The last event at the last look; undefined before the first one. */
  last: number | undefined;
}

/**
 * Calls those who follow projects: local commits call at once, the others are looked for in the database. Must be closed before the pool
 * is.
 */
export function createFollowers({ pool, nodes, projectsApart }: FollowersParts) {
  const followed = new Map<string, Followed>();
  /** The groups of projects that a look is under way for. */
  const looking = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function call(projectKey: string): void {
    const { listeners } = followed.get(projectKey) ?? { listeners: new Set<() => void>() };
    // Apart, so that one that throws disturbs nobody.
    for (const listener of listeners) queueMicrotask(() => listeners.has(listener) && listener());
  }

  function found(projectKey: string, sequence: number): void {
    const project = followed.get(projectKey);
    if (!project || project.last === sequence) return;
    project.last = sequence;
    call(projectKey);
  }

  async function read(connection: Connection, projectKeys: readonly string[]): Promise<void> {
    if (!projectsApart) {
      const all: Statement = { name: 'log-lasts', text: lastsText, values: [projectKeys] };
      const rows = await connection.query<{ project_key: string; sequence: number }>(all);
      for (const { project_key, sequence } of rows) found(project_key, sequence);
      return;
    }
    await Promise.all(
      projectKeys.map(async (projectKey) => {
        const one: Statement = { name: 'log-last', text: lastText, values: [projectKey] };
        const [row] = await connection.query<{ sequence: number }>(one);
        if (row) found(projectKey, row.sequence);
      }),
    );
  }

  async function look(group: string, projectKeys: readonly string[]): Promise<void> {
    try {
      await pool.use((connection) => read(connection, projectKeys), group);
    } catch {
      // The reads of those who follow say what is wrong.
      await new Promise((resolve) => setTimeout(resolve, isClosed ? 0 : failedMs));
    }
  }

  async function lookAround(): Promise<void> {
    const groups = new Map<string, string[]>();
    for (const projectKey of followed.keys()) {
      const group = await nodes.groupOf(projectKey);
      groups.set(group, [...(groups.get(group) ?? []), projectKey]);
    }
    for (const [group, projectKeys] of groups) {
      // A server that does not respond holds up no others.
      if (isClosed || looking.has(group)) continue;
      looking.set(
        group,
        look(group, projectKeys).finally(() => looking.delete(group)),
      );
    }
  }

  function schedule(): void {
    if (timer !== undefined || isClosed || followed.size === 0) return;
    timer = setTimeout(async () => {
      await lookAround();
      timer = undefined;
      schedule();
    }, lookMs);
    timer.unref();
  }

  return {
    /** To be called when this process has committed events of a project. Never throws. */
    notify: call,
    follow(projectKey: string, listener: () => void): () => void {
      const project = followed.get(projectKey) ?? { listeners: new Set<() => void>(), last: undefined };
      followed.set(projectKey, project);
      // One of its own for each call, though the listener may be the same.
      const own = () => listener();
      project.listeners.add(own);
      // What is committed from now on is found by the next look, as it was not known before.
      project.last = undefined;
      schedule();
      return () => {
        project.listeners.delete(own);
        if (project.listeners.size === 0 && followed.get(projectKey) === project) followed.delete(projectKey);
      };
    },
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await Promise.all(looking.values());
    },
  };
}
