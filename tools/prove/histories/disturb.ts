import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { History } from './history.ts';
import type { Database, ServiceNode } from './nodes.ts';

type Disturbances = Readonly<Record<string, () => Promise<void> | void>>;

/** What happens to a service. */
function ofNode(node: ServiceNode, random: Random): Disturbances {
  const shortly = () => random.integer(20, 2500);
  return {
    kill: () => node.restart(random.next() < 0.5),
    freeze: () => node.freeze(shortly()),
    freezeShortly: () => node.freeze(random.integer(1, 60)),
    cut: () => node.cut(),
    stall: () => node.stall(shortly(), random.next() < 0.5),
    lose: () => node.lose(),
    clock: () => node.setClock(random.integer(-6 * 3_600_000, 6 * 3_600_000)),
  };
}

/** What happens to the database. */
const ofDatabase = (database: Database): Disturbances => ({
  killSession: () => database.killSession(),
  ...(database.crash && { crash: () => database.crash!() }),
});

/** What happens to the logs that mirrors follow. */
function ofLogs(database: Database, random: Random, histories: readonly History[]): Disturbances {
  return {
    // As after a restore: each mirror is made anew.
    async newEpoch() {
      const text = "UPDATE event_head SET epoch = 'e' || $2::text WHERE project_key = $1";
      await database.run(text, [random.pick(histories).project, random.integer(1, 1_000_000)]);
    },
    // Mirrors that are behind are made anew.
    async prune() {
      const text = `WITH last AS (SELECT max(sequence) - $2 AS sequence FROM event WHERE project_key = $1),
          gone AS (DELETE FROM event e USING last WHERE e.project_key = $1 AND e.sequence <= last.sequence RETURNING e.sequence)
        UPDATE event_head h SET pruned = greatest(h.pruned, (SELECT max(sequence) FROM gone)) WHERE h.project_key = $1`;
      const history = random.pick(histories);
      history.prunedMs = Number.POSITIVE_INFINITY;
      await database.run(text, [history.project, random.integer(1, 50)]).finally(() => {
        history.prunedMs = performance.now();
      });
    },
  };
}

/** What a run disturbs. */
interface Disturbed {
  readonly nodes: readonly ServiceNode[];
  readonly database: Database;
  readonly histories: readonly History[];
  /** A weakened build is only tried on logs, since it answers far more queries so. */
  readonly isControl: boolean;
}

/** Disturbs services, database and logs until the signal ends it: each by itself, one thing after another. Counts what it did. */
export async function disturb(
  { nodes, database, histories, isControl }: Disturbed,
  random: Random,
  signal: AbortSignal,
  counts: Record<string, number>,
): Promise<void> {
  const keepDisturbing = async (disturbances: Disturbances, mostMs: number) => {
    while (!signal.aborted) {
      await pause(random.integer(100, mostMs));
      const name = random.pick(Object.keys(disturbances));
      counts[name] = (counts[name] ?? 0) + 1;
      try {
        await disturbances[name]!();
      } catch (error) {
        // The database may be down at this moment.
        if (name === 'kill') throw error;
      }
    }
  };
  const ofLog = keepDisturbing(ofLogs(database, random, histories), 2000);
  if (isControl) return ofLog;
  const others = nodes.map((node) => keepDisturbing(ofNode(node, random), 6000));
  await Promise.all([ofLog, keepDisturbing(ofDatabase(database), 12_000), ...others]);
}
