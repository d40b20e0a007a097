import type { Eventually } from '../../ports/eventually.ts';
import type { RuleStore } from '../../ports/rule-store.ts';
import type { PointReads } from '../target.ts';
import type { Decision } from './decision.ts';

/** The project as a decision finds it: in a group, with what the decisions before it made. */
export type GateReads = PointReads & Pick<RuleStore, 'marked'>;

/** What every decision passes before it is committed, whichever way the write came. */
export interface Gate {
  /**
   * The decision with what its commit is held to. Throws `ServiceError` where the types of the project refuse it: all that is wrong at
   * once.
   */
  admit(decision: Decision, reads: GateReads): Eventually<Decision>;
  /** The marks of resources as they are committed. */
  readonly marked: RuleStore['marked'];
  /** True where a decision depends on other resources of the project: then decisions follow the commits of those before them. */
  dependsOnOthers(projectKey: string): Eventually<boolean>;
  /** To be called where a commit found that other types hold: the next decision is by those. */
  forget(projectKey: string): void;
}
