import { readRegistry } from '../records/registry.ts';
import { listSubscriptions } from '../subscription/manage.ts';
import { type Subscription, subscriptionOf } from '../subscription/subscription.ts';
import { type Courier, createCourier } from './courier.ts';
import type { DeliveryDeps } from './deps.ts';

/** Delivers to all subscriptions of all projects, as far as no other process does. */
export interface Dispatcher {
  /** Finds the subscriptions, and delivers from here on. Never rejects: what fails is tried again. */
  start(): void;
  /** The subscriptions of a project changed. */
  changed(projectKey: string): void;
  close(): Promise<void>;
}

interface Project {
  /** Of its record in the registry, when its subscriptions were read; 0: not yet. */
  version: number;
  readonly couriers: Map<string, { readonly courier: Courier; version: number }>;
  stopFollowing: (() => void) | undefined;
}

/** The version of a project whose subscriptions could not be read: no record has it. */
const unread = -2;
/** Every so many polls all subscriptions are read again, should a change not have been announced. */
const pollsPerReread = 30;

/** Makes a dispatcher. */
export function createDispatcher(deps: DeliveryDeps): Dispatcher {
  const { store, source, timing, log } = deps;
  const projects = new Map<string, Project>();
  const announced = new Set<string>();
  let polls = 0;
  let isClosed = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Reads what changed, then again later. One at a time. */
  async function poll(): Promise<void> {
    clearTimeout(timer);
    try {
      await reread();
    } catch (error) {
      log.write('warn', 'webhook-subscriptions-unread', { error });
    }
    running = undefined;
    if (isClosed) return;
    if (announced.size > 0) begin();
    else timer = setTimeout(begin, timing.pollMs).unref();
  }

  function begin(): void {
    if (!isClosed) running ??= poll();
  }

  async function reread(): Promise<void> {
    const isFull = polls % pollsPerReread === 0;
    polls += 1;
    const changed = new Set(announced);
    announced.clear();
    for (const [projectKey, version] of await readRegistry(store)) {
      const known = projects.get(projectKey);
      if (!isFull && known?.version === version && !changed.has(projectKey)) continue;
      if (isClosed) return;
      // A project that fails does not hold up the others; its subscriptions are read again with the next poll.
      await load(projectKey, version).catch((error: unknown) => {
        const read = projects.get(projectKey);
        if (read) read.version = unread;
        log.write('warn', 'webhook-subscriptions-unread', { projectKey, error });
      });
    }
  }

  async function load(projectKey: string, version: number): Promise<void> {
    const records = await listSubscriptions(store, projectKey);
    if (isClosed) return;
    const project = projects.get(projectKey) ?? { version: 0, couriers: new Map(), stopFollowing: undefined };
    projects.set(projectKey, project);
    const found = new Map(records.map((record) => [record.id, subscriptionOf(projectKey, record)]));
    for (const [id, { courier }] of project.couriers) {
      if (found.has(id)) continue;
      project.couriers.delete(id);
      await courier.close();
    }
    for (const subscription of found.values()) see(project, subscription);
    follow(projectKey, project);
    project.version = version;
  }

  function see({ couriers }: Project, subscription: Subscription): void {
    const known = couriers.get(subscription.id);
    if (known === undefined) {
      const courier = createCourier(deps, subscription);
      couriers.set(subscription.id, { courier, version: subscription.version });
    } else if (known.version !== subscription.version) {
      known.version = subscription.version;
      known.courier.update(subscription);
    }
  }

  function follow(projectKey: string, project: Project): void {
    if (project.couriers.size === 0) {
      project.stopFollowing?.();
      project.stopFollowing = undefined;
      return;
    }
    project.stopFollowing ??= source.log.follow(projectKey, () => {
      for (const { courier } of project.couriers.values()) courier.wake();
    });
    // What changed between the start of a courier and this.
    for (const { courier } of project.couriers.values()) courier.wake();
  }

  return {
    start: begin,
    changed(projectKey) {
      announced.add(projectKey);
      begin();
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await running;
      for (const { stopFollowing } of projects.values()) stopFollowing?.();
      const couriers = [...projects.values()].flatMap((project) => [...project.couriers.values()]);
      await Promise.all(couriers.map(({ courier }) => courier.close()));
    },
  };
}
