/**
 * Limits of a validation, which is synchronous: how many steps it has taken, and whether fields may be missing. Between validations
 * there are none: schemas are compared with that of JSON Schema itself, which takes no more steps than they are large.
 */
export const run = { steps: Number.NEGATIVE_INFINITY, isPartial: false };
/** About a second. */
const maxSteps = 5_000_000;

/** A schema takes too many steps while a document is held to it. */
export class TooManySteps extends Error {}

/** Counts steps that are about to be taken. */
export function spend(steps: number): void {
  run.steps += steps;
  if (run.steps > maxSteps) throw new TooManySteps();
}

/** Items of a list, or units of a text, that cost a step. */
export const unitsInStep = 10;
