import type { JsonObject } from '../../contract/json.ts';
import type { Path, Predicate } from '../predicate/ast.ts';
import { match } from '../predicate/match.ts';
import type { Scalar } from '../predicate/scalar.ts';
import { facetScalars, statisticOf } from './facet-values.ts';

/** A setting of a project: a factor for the scores of some resources. */
export type Boost = (PredicateBoost | RecentBoost | NearBoost) & {
  /** Above 0; below 1 it puts resources behind others of their rung. */
  readonly factor: number;
};

/** For resources that match a predicate. */
export interface PredicateBoost {
  readonly predicate: Predicate;
}

/** In full for an instant of now or later; half of it one half-life ago. */
export interface RecentBoost {
  readonly recent: Path;
  readonly halfLifeDays: number;
}

/** In full for a number at the origin; half of it one scale away. */
export interface NearBoost {
  readonly near: Path;
  readonly origin: number;
  readonly scale: number;
}

/** A boost whose factor decays to 1. */
export type Decay = Extract<Boost, RecentBoost | NearBoost>;

export function isDecay(boost: Boost): boost is Decay {
  return !('predicate' in boost);
}

/** Steps of the distance that is one scale, and the most that count: more is nothing of the factor. */
const [stepsOfScale, maxSteps] = [1000, 40_000];
const hourMs = 3_600_000;

/** The number of the hour of a point in time: scores follow the time by the hour, so that pages and indexes may keep what they computed. */
export function hourOf(ms: number): number {
  return Math.floor(ms / hourMs);
}

/** The path of a decay. */
export function decayPath(decay: Decay): Path {
  return 'recent' in decay ? decay.recent : decay.near;
}

/**
 * What a decay needs of a value, as a number from 1 on: the hour of an instant, or the steps that a number is away. It depends on no time, so
 * that an index keeps it by row. Undefined for values of another type.
 */
export function stepOf(decay: Decay, scalar: Scalar): number | undefined {
  if (scalar.type !== ('recent' in decay ? 'instant' : 'number')) return undefined;
  const value = statisticOf(scalar);
  if ('recent' in decay) return Math.max(1, hourOf(value));
  return 1 + Math.min(maxSteps, Math.round((stepsOfScale * Math.abs(value - decay.origin)) / decay.scale));
}

/** The step that counts, of two of one document: the latest hour, or the least distance. */
export function betterStep(decay: Decay, one: number, other: number): number {
  return 'recent' in decay ? Math.max(one, other) : Math.min(one, other);
}

/** The step of a document; undefined without a value. */
export function decayStep(document: JsonObject, decay: Decay): number | undefined {
  const steps = facetScalars(document, decayPath(decay)).scalars.flatMap(({ scalar }) => stepOf(decay, scalar) ?? []);
  return steps.length === 0 ? undefined : steps.reduce((one, other) => betterStep(decay, one, other));
}

/** The factor for a document with this step at an hour. */
export function decayFactor(decay: Decay, step: number | undefined, hour: number): number {
  if (step === undefined) return 1;
  const halvings = 'recent' in decay ? Math.max(0, hour - step) / (24 * decay.halfLifeDays) : (step - 1) / stepsOfScale;
  return 1 + (decay.factor - 1) * 0.5 ** halvings;
}

/** The factor of a boost for a document. */
export function factorOf(boost: Boost, document: JsonObject, hour: number): number {
  if (isDecay(boost)) return decayFactor(boost, decayStep(document, boost), hour);
  return match(boost.predicate, document) ? boost.factor : 1;
}

/** The factor for the score of a document: the product of all boosts. */
export function boostOf(document: JsonObject, boosts: readonly Boost[], hour: number): number {
  return boosts.reduce((product, boost) => product * factorOf(boost, document, hour), 1);
}
