import { readRegistry } from '../records/registry.ts';
import { listSubscriptions } from '../subscription/manage.ts';
import { type Subscription, subscriptionOf } from '../subscription/subscription.ts';
import { Courier } from './courier.ts';
import type { DeliveryDeps } from './deps.ts';

interface Project {
  /** Of its record in the registry, when its subscriptions were read; 0: not yet. */
  version: number;
  readonly couriers: Map<string, { readonly courier: Courier; version: number }>;
  stopFollowing: (() => void) | undefined;
}

/** The version of a project whose subscriptions could not be read: no record has it. */
const unread = -2;
/** Polls between two reads of all subscriptions, in case the announcement of a change was lost. */
const pollsPerReread = 30;

/** Runs a courier for each subscription of all projects. What fails is tried again with the next poll. */
export class Dispatcher {
  readonly #deps: DeliveryDeps;
  readonly #projects = new Map<string, Project>();
  /** Projects whose subscriptions this process changed since they were read. */
  readonly #announced = new Set<string>();
  #polls = 0;
  #isClosed = false;
  /** The poll in progress: one at a time. */
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  start(): void {
    if (!this.#isClosed) this.#running ??= this.#poll();
  }

  /** The subscriptions of a project changed. */
  changed(projectKey: string): void {
    this.#announced.add(projectKey);
    this.start();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#running;
    const projects = [...this.#projects.values()];
    for (const { stopFollowing } of projects) stopFollowing?.();
    await Promise.all(projects.flatMap(({ couriers }) => [...couriers.values()].map(({ courier }) => courier.close())));
  }

  async #poll(): Promise<void> {
    const { timing, log } = this.#deps;
    clearTimeout(this.#timer);
    try {
      await this.#reread();
    } catch (error) {
      log.write('warn', 'webhook-subscriptions-unread', { error });
    }
    this.#running = undefined;
    if (this.#announced.size > 0) this.start();
    else if (!this.#isClosed) this.#timer = setTimeout(() => this.start(), timing.pollMs).unref();
  }

  async #reread(): Promise<void> {
    const { store, log } = this.#deps;
    const isFull = this.#polls % pollsPerReread === 0;
    this.#polls += 1;
    const changed = new Set(this.#announced);
    this.#announced.clear();
    for (const [projectKey, version] of await readRegistry(store)) {
      const known = this.#projects.get(projectKey);
      if (!isFull && known?.version === version && !changed.has(projectKey)) continue;
      if (this.#isClosed) return;
      // A project that fails does not hold up the others.
      await this.#load(projectKey, version).catch((error: unknown) => {
        const read = this.#projects.get(projectKey);
        if (read) read.version = unread;
        log.write('warn', 'webhook-subscriptions-unread', { projectKey, error });
      });
    }
  }

  async #load(projectKey: string, version: number): Promise<void> {
    const records = await listSubscriptions(this.#deps.store, projectKey);
    if (this.#isClosed) return;
    const project = this.#projects.get(projectKey) ?? { version: 0, couriers: new Map(), stopFollowing: undefined };
    this.#projects.set(projectKey, project);
    const found = new Map(records.map((record) => [record.id, subscriptionOf(projectKey, record)]));
    for (const [id, { courier }] of project.couriers) {
      if (found.has(id)) continue;
      project.couriers.delete(id);
      await courier.close();
    }
    for (const subscription of found.values()) this.#see(project, subscription);
    this.#follow(projectKey, project);
    project.version = version;
  }

  #see({ couriers }: Project, subscription: Subscription): void {
    const { id, version } = subscription;
    const known = couriers.get(id);
    if (known === undefined) {
      couriers.set(id, { courier: new Courier(this.#deps, subscription), version });
    } else if (known.version !== version) {
      known.version = version;
      known.courier.update(subscription);
    }
  }

  #follow(projectKey: string, project: Project): void {
    const wakeAll = () => {
      for (const { courier } of project.couriers.values()) courier.wake();
    };
    if (project.couriers.size === 0) {
      project.stopFollowing?.();
      project.stopFollowing = undefined;
      return;
    }
    project.stopFollowing ??= this.#deps.source.log.follow(projectKey, wakeAll);
    // Changes between the start of a courier and this.
    wakeAll();
  }
}
