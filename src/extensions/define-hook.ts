import type { JsonObject } from '../contract/json.ts';

/** The own fields of a resource in both projections. */
export interface HookDocuments {
  readonly current: JsonObject;
  /** Undefined where nothing is staged. */
  readonly staged: JsonObject | undefined;
}

/** A write before it is committed. All documents are copies. */
export interface HookChange extends HookDocuments {
  /** Of a deletion, the documents are those that are deleted. */
  readonly kind: 'create' | 'update' | 'delete';
  readonly projectKey: string;
  readonly id: string;
  /** After the write. */
  readonly key: string | undefined;
  /** The resource as it is without the write; undefined where it is created. */
  readonly before: (HookDocuments & { readonly key: string | undefined }) | undefined;
  readonly actor: { readonly clientId: string; readonly externalUserId?: string | undefined };
  /** What makes the change, as histories have it: `draft`, `actions`, `delete`, `import`, `restore`. */
  readonly cause: string;
  /** The names of the update actions, in their order; empty for other causes. */
  readonly actions: readonly string[];
  /** Aborted when the time is over: the write is refused then. */
  readonly signal: AbortSignal;
  /** Refuses the write: 400 `InvalidOperation` with this message. */
  readonly refuse: (message: string) => never;
}

/** The documents that are stored instead. One that is absent stays as it is. */
export type HookResult = Partial<HookDocuments> | undefined;

/** Code that sees every write of a resource before it is committed. */
export interface HookDefinition {
  /** For messages and the log. */
  readonly name: string;
  /** How long it may take: 1 to 10,000 ms, by default 1,000. */
  readonly timeoutMs?: number;
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook may end without a return.
  readonly before: (change: HookChange) => HookResult | void | Promise<HookResult | void>;
}

const maxTimeoutMs = 10_000;

/** Defines a hook. Throws if the definition is invalid. */
export function defineHook(hook: HookDefinition): HookDefinition {
  const problem = hookProblem(hook);
  if (problem !== undefined) throw new Error(`Hook: ${problem}`);
  return hook;
}

/** The problem of the definition of a hook, or undefined. */
export function hookProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return 'expected the definition of a hook';
  const { name, timeoutMs = 1, before } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !/^[a-z][A-Za-z0-9]*$/.test(name)) return 'name: expected a name such as setSlug';
  if (typeof before !== 'function') return `${name}: before: expected a function`;
  const isTime = Number.isInteger(timeoutMs) && (timeoutMs as number) >= 1 && (timeoutMs as number) <= maxTimeoutMs;
  return isTime ? undefined : `${name}: timeoutMs: expected 1 to ${maxTimeoutMs}`;
}
