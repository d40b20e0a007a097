import { checkFields, checkObject, checkString, mismatch } from '../../../contract/check.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { JsonValue } from '../../../contract/json.ts';
import { parsePredicate } from '../../predicate/parse.ts';
import type { Boost } from '../boosts.ts';
import { checkDouble, numberUpTo, readNames, settingsLimits } from './checks.ts';

/** A boost as it is written: for what a predicate holds for, what is recent, or what is near a number. */
export interface WrittenBoost {
  readonly factor: number;
  readonly where?: string;
  readonly recent?: string;
  readonly halfLifeDays?: number;
  readonly near?: string;
  readonly origin?: number;
  readonly scale?: number;
}

/** The boost as searches use it. */
export function boostOf({ where, recent, halfLifeDays, near, origin, scale, factor }: WrittenBoost): Boost {
  if (recent !== undefined) return { recent: readNames(recent)!, halfLifeDays: halfLifeDays!, factor };
  if (near !== undefined) return { near: readNames(near)!, origin: origin!, scale: scale!, factor };
  return { predicate: parsePredicate(where!, { variables: undefined }), factor };
}

const boostForms = [
  ['where', 'factor'],
  ['recent', 'halfLifeDays', 'factor'],
  ['near', 'origin', 'scale', 'factor'],
] as const;

/** Checks one of the forms of a boost. */
export function checkBoost(value: JsonValue | undefined, place: string): WrittenBoost {
  const names = Object.keys(checkObject(value, place));
  const form = boostForms.find(([kind]) => names.includes(kind));
  if (form === undefined) {
    checkFields(value, place, [...new Set(boostForms.flat())]);
    throw mismatch(place, 'expected where, recent or near');
  }
  const own = checkFields(value, place, form);
  const number = (name: string, most: number) => numberUpTo(most)(own[name], `${place}.${name}`);
  const factor = number('factor', settingsLimits.factor);
  const path = () => {
    const text = checkString(own[form[0]], `${place}.${form[0]}`);
    if (readNames(text) === undefined)
      throw mismatch(`${place}.${form[0]}`, 'expected a dotted path such as createdAt');
    return text;
  };
  if (form[0] === 'recent') {
    return { recent: path(), halfLifeDays: number('halfLifeDays', settingsLimits.halfLifeDays), factor };
  }
  if (form[0] === 'near') {
    const origin = checkDouble(own.origin, `${place}.origin`);
    return { near: path(), origin, scale: number('scale', Number.MAX_SAFE_INTEGER), factor };
  }
  return { where: checkWhere(own.where, place), factor };
}

/** A predicate as in `where`. */
function checkWhere(value: JsonValue | undefined, place: string): string {
  const where = checkString(value, `${place}.where`);
  if (where.length > settingsLimits.boostText) {
    throw mismatch(`${place}.where`, `expected at most ${settingsLimits.boostText} characters`);
  }
  try {
    parsePredicate(where, { variables: undefined });
  } catch (error) {
    throw error instanceof ServiceError
      ? mismatch(`${place}.where`, error.message.replace(/^Malformed parameter: where: /, ''))
      : error;
  }
  return where;
}
