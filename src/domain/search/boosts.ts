import type { JsonObject } from '../../contract/json.ts';
import type { Path, Predicate } from '../predicate/ast.ts';
import { match } from '../predicate/match.ts';
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

/**
 * What a decay needs of a document, as a number from 1 on: the hour of the latest instant, or the steps that the nearest number is away. It
 * depends on no time, so that an index keeps it by row. Undefined without a value.
 */
export function decayStep(document: JsonObject, decay: Decay): number | undefined {
  const isRecent = 'recent' in decay;
  const { scalars } = facetScalars(document, isRecent ? decay.recent : decay.near);
  const values = scalars
    .filter(({ scalar }) => scalar.type === (isRecent ? 'instant' : 'number'))
    .map(({ scalar }) => statisticOf(scalar));
  if (values.length === 0) return undefined;
  if (isRecent) return Math.max(1, hourOf(Math.max(...values)));
  const distance = Math.min(...values.map((value) => Math.abs(value - decay.origin)));
  return 1 + Math.min(maxSteps, Math.round((stepsOfScale * distance) / decay.scale));
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
