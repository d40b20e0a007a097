import type { DamagedRow, Store } from '../domain/ports/store.ts';
import type { QueryQueues, StoreMetrics } from '../telemetry/store-metrics.ts';

/** The store must not be opened or changed. The message says why and what to do; the process exits. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused';
}

/** Sends plain data to another process, and receives it. In order, and nothing is lost while both live. */
export interface Link {
  send(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** What every engine is opened with. An engine's own settings come beside it. */
export interface StoreOptions {
  /**
   * `exclusive`: for a service. `shared`: for a command beside a running service. It leaves the indexes as they are. `writing`: for a command that
   * writes resources, alone on an engine that indexes with its record, beside services on the others, whose mirrors it leaves alone.
   */
  readonly access: 'exclusive' | 'shared' | 'writing';
  /** Dotted paths whose ranges and orders the index answers as well (setting INDEXED_PATHS). */
  readonly declaredPaths: readonly string[];
  readonly maxPageBytes: number;
  /** Deadline of a list, an existence check and a search. */
  readonly queryTimeoutMs: number;
  /** False: changes are not logged, and what was logged is no longer returned. */
  readonly keepsHistory: boolean;
  readonly metrics: StoreMetrics;
  /** Writes a line for the operator to the log. */
  readonly note: (text: string) => void;
  /** The storage failed while serving, in a way that only a new start can recover from: the process should end. */
  readonly onFatal: (message: string) => void;
  /** Called once for each row, other than a resource, that is found damaged. */
  readonly onDamaged?: (row: DamagedRow) => void;
  /** If another process hosts the store: the link to it. */
  readonly link?: Link | undefined;
  /** Called when others work for the opening, such as a thread: it is a good time to load what else is needed. */
  readonly onBegun?: (() => void) | undefined;
}

/** What one process keeps open for the others that serve the same store. Must be closed, after they have ended. */
export interface StoreHost {
  /** Takes the requests of another process. */
  serve(link: Link): void;
  close(): Promise<void>;
}

/** A step from one schema of an engine to the next. */
export interface Migration {
  /** The number that its file name begins with. */
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /**
   * The schema of the oldest version of the service that can read and write the database after this step: what
   * `-- usable from NNN` says in its file. Only its own where it says nothing.
   */
  readonly usableFrom?: number;
}

/** Called now and then with the progress of a long operation. `at`: where a check may be continued. */
export type Progress = (label: string, done: number, total: number, at?: string) => void;

/**
 * A part of the resources and logs to check: of one project, or from a place on, which is `<project>` or `<project>/<id>`,
 * or of a log, behind all resources, `log:<project>/<sequence>`.
 */
export type CheckPart = { readonly project: string } | { readonly from: string };

/** The size of a store before and after it was compacted. */
export interface Compacted {
  readonly beforeBytes: number;
  readonly afterBytes: number;
}

export interface CheckOptions {
  /** Only given to engines that say `checksParts`. */
  readonly part?: CheckPart | undefined;
  /** Threads that check at the same time. By default as many as the machine has cores and the store has work for. */
  readonly jobs?: number | undefined;
  /** Takes each finding when it is found, in the order of what is checked. */
  readonly onFinding?: (finding: string) => void;
}

/**
 * A storage engine: what the service, the command line and the settings need to know of it. `Settings` are those of the
 * configuration that it reads. docs/engines.md says what else an engine owes.
 */
export interface Engine<in Settings = never> {
  /** The name of its folders. */
  readonly id: string;
  /** The name for messages. */
  readonly name: string;
  /** True for the addresses that DATABASE_URL takes for it. No address is of two engines. */
  readonly isAddress: (text: string) => boolean;
  /** The form of these addresses, for messages. */
  readonly addressForm: string;
  /** What the settings page says of them beside the form. */
  readonly addressNote?: string;
  /** Where queries wait and run, and which do: the series of the metric `grs_query_seconds`. */
  readonly queues: QueryQueues;
  /** Opens the store. Throws `StoreRefused` if it must not be served. */
  readonly open: (address: string, options: StoreOptions, settings: Settings) => Promise<Store>;
  /** Opens what the processes of one service share of the store. */
  readonly host: (address: string, options: StoreOptions, settings: Settings) => Promise<StoreHost>;
  /** Applies the missing migrations, or only lists them, and returns them. Throws `StoreRefused`. */
  readonly migrate: (address: string, dryRun: boolean) => Promise<readonly Migration[]>;
  /**
   * Checks the store and returns what is wrong; with `rebuild` it rebuilds the indexes first. Throws `StoreRefused`.
   */
  readonly check: (
    address: string,
    rebuild: boolean,
    progress: Progress,
    options?: CheckOptions,
  ) => Promise<readonly string[]>;
  /**
   * Copies the store, which may be in use, into a folder that a service can be started on: every write that was acknowledged
   * before is in the copy. `beforeDone` is awaited before the copy counts as one. Undefined where the database has tools for
   * that. Throws `StoreRefused`.
   */
  readonly backUp?: (address: string, folder: string, beforeDone: () => Promise<void>) => Promise<void>;
  /**
   * Gives the space of what was deleted back to the disk, while no service uses the store. Undefined where the database does so by itself.
   * Throws `StoreRefused`.
   */
  readonly compact?: (address: string) => Promise<Compacted>;
  /** The mirror of the store that each machine keeps; absent in engines without mirrors. Throws `StoreRefused`. */
  readonly mirror?: {
    /** Copies it, also beside a service, into a file. */
    readonly snapshot: (settings: Settings, file: string) => Promise<void>;
    /** Makes a snapshot the mirror of a machine that has none, and returns what came of it, for people. */
    readonly seed: (settings: Settings, read: () => Promise<AsyncIterable<Uint8Array>>) => Promise<string>;
  };
  /** True if it can check a part of the resources. */
  readonly checksParts: boolean;
  /** Where the store of an address is, without credentials. */
  readonly describe: (address: string) => string;
  /** True if there is certainly no store at the address yet. */
  readonly isMissing: (address: string) => boolean;
}
