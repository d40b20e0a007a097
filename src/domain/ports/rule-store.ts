import type { Eventually } from './eventually.ts';
import type { ResourceRecord } from './resource-store.ts';

/**
 * Marks: short texts of resources by which a commit decides unique values and references, which are of several resources. A
 * mark begins with the name of its rule. It has at most 600 bytes, is well-formed, and has no U+0000. Marks follow from the
 * resources and the types of their project, so that they can be made again.
 */

/** A version of a resource that somebody has looked at; the incarnation tells it from one that was deleted. */
export type ResourceVersion = Pick<ResourceRecord, 'id' | 'version' | 'incarnation'>;

/** The demands that the types of a project make of a change. The commit holds it to them, whoever else writes. */
export interface ChangeRules {
  /** The version of the types that decided the change. */
  readonly version: number;
  /** All marks of the resource after the change; none after a deletion. */
  readonly marks: readonly string[];
  /** Those of `marks` that no other resource may have. */
  readonly unique: readonly string[];
  /** Other resources that must still exist in these versions. */
  readonly needs: readonly ResourceVersion[];
  /** Marks that no other resource may have: references to a resource that is deleted or changes its key. */
  readonly forbidden: readonly string[];
}

/** A mark that several resources have. */
export interface ContestedMark {
  readonly mark: string;
  /** The first of the resources, ascending. */
  readonly ids: readonly string[];
}

/**
 * Stores what the types of a project need beside its resources: the version of the types that writers have to know, and the
 * marks of the resources. A change with `rules` replaces the marks of its resource in its commit. Reads see every write that
 * was acknowledged before they began. Throws what `ResourceStore` throws. Companion projects have neither.
 */
export interface RuleStore {
  /**
   * Raises the version of the types to this one; a lower one changes nothing. Once it resolves, no change is committed that
   * an earlier version decided, and none without rules.
   */
  setRules(projectKey: string, version: number): Promise<void>;
  /** The version of the types that changes must know; 0 where there is none. */
  rulesVersion(projectKey: string): Eventually<number>;
  /** The next resources that have the mark: their ids, ascending by UTF-8 bytes, each greater than `afterId`. */
  marked(projectKey: string, mark: string, limit: number, afterId?: string): Eventually<readonly string[]>;
  /**
   * How many marks with this beginning several resources have, and the first of them, at most `limit`. It reads all of these
   * marks, in portions: each as it was at some time during the call.
   */
  contested(
    projectKey: string,
    beginning: string,
    limit: number,
  ): Promise<{ readonly count: number; readonly first: readonly ContestedMark[] }>;
  /**
   * Replaces the marks that begin with one of `beginnings` by these, of each resource that still has this version: the others
   * got theirs by a write of their own. Changes no resource. Durable when it resolves.
   */
  mark(
    projectKey: string,
    items: readonly (ResourceVersion & { readonly marks: readonly string[] })[],
    beginnings: readonly string[],
  ): Promise<void>;
  /** Removes marks that begin so, at most `limit`. Resolves to their number; 0 where none is left. */
  unmark(projectKey: string, beginning: string, limit: number): Promise<number>;
}
