import type { ControlName } from './controls.ts';
import type { Random } from './random.ts';

/** What a proof is run with. */
export interface ProofRun {
  /** How many images, requests or minutes. */
  readonly size: number;
  readonly random: Random;
  /** The build that is tried; the real one by default. */
  readonly build: ControlName | undefined;
  /** A word that no other run has. Keys of projects begin with it, so that a database can be used again. */
  readonly name: string;
  /** The address of a PostgreSQL for this proof alone; only for proofs with `takesDatabase`. */
  readonly database: string | undefined;
  /** Number of serving processes, random by default; only for proofs with `takesWorkers`. */
  readonly workers: number | undefined;
  /** Whether these violations are enough: a weakened build is caught by its first violation of the expected kind. */
  readonly isEnough: (violations: readonly string[]) => boolean;
  /** Tells how far it is. */
  readonly progress: (done: number) => void;
}

/** What a proof found. */
export interface Verdict {
  /** Empty if everything held. Each begins with its kind: `lost: …`. */
  readonly violations: readonly string[];
  /** Files that keep what was found with all that it was made of. */
  readonly evidence?: readonly string[];
  /** What was tried: figures with their names. */
  readonly figures: Readonly<Record<string, number>>;
}

/** A build that a proof must find something wrong with. */
export interface ProofControl {
  readonly build: ControlName;
  /** At most: the run ends when the build is caught. */
  readonly size: number;
  /** What must be found. */
  readonly kind: RegExp;
  /** How many processes serve, where that matters. */
  readonly workers?: number;
}

/** Tries a promise of the service many times over, asking it by HTTP and by `grs check` alone. */
export interface Proof {
  /** What holds if nothing is found. */
  readonly claim: string;
  /** The unit of its size, which is also its option. */
  readonly unit: 'images' | 'requests' | 'minutes';
  /** The size of a release. */
  readonly size: number;
  /** The builds that must be caught, each by a violation of a kind. */
  readonly controls: readonly ProofControl[];
  /** It can be tried on PostgreSQL, too. */
  readonly takesDatabase?: true;
  /** It starts one of its own where it is given none. */
  readonly startsPostgres?: true;
  readonly takesWorkers?: true;
  /** Why it cannot be run here; undefined where it can. */
  readonly obstacle?: () => string | undefined;
  readonly prove: (run: ProofRun) => Promise<Verdict>;
}
