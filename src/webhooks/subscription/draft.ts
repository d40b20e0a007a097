import {
  checkArray,
  checkBoolean,
  checkFields,
  checkString,
  isAbsent,
  mismatch,
  missing,
  optional,
} from '../../contract/check.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { JsonValue } from '../../contract/json.ts';
import { checkKey } from '../../contract/resource.ts';
import { type EventType, eventTypes } from '../../domain/ports/change-log.ts';
import { parsePredicate } from '../../domain/predicate/parse.ts';
import { secretProblem } from '../message/signature.ts';

/** Where the deliveries of a new subscription begin: after the last change, or with the oldest that is kept. */
export const startingPoints = ['now', 'oldest'] as const;

const draftFields = ['key', 'url', 'types', 'where', 'include', 'description', 'secret', 'from', 'enabled'] as const;

const maxUrlLength = 2048;
const maxDescriptionLength = 1024;

/** Says what is wrong with the address of a receiver; undefined if nothing is. */
export type UrlProblem = (url: URL) => string | undefined;

/** Checks the body of a request that creates a subscription. Throws 400 that names the field. */
export function checkSubscriptionDraft(json: JsonValue | undefined, urlProblem: UrlProblem) {
  const draft = checkFields(json, '', draftFields);
  return {
    key: optional(draft, 'key', '', checkKey),
    url: checkUrl(draft.url, 'url', urlProblem),
    types: optional(draft, 'types', '', checkTypes),
    where: optional(draft, 'where', '', checkWhere),
    include: optional(draft, 'include', '', checkInclude),
    description: optional(draft, 'description', '', checkDescription),
    secret: optional(draft, 'secret', '', checkSecret),
    from: optional(draft, 'from', '', (value, path) => oneOf(value, path, startingPoints)) ?? 'now',
    enabled: optional(draft, 'enabled', '', checkBoolean) ?? true,
  };
}

/** The address of a receiver. */
export function checkUrl(value: JsonValue | undefined, path: string, urlProblem: UrlProblem): string {
  if (isAbsent(value)) throw missing(path);
  const text = checkString(value, path);
  if (text.length > maxUrlLength) throw mismatch(path, `expected at most ${maxUrlLength} characters`);
  const url = URL.parse(text);
  const problem = url === null ? 'expected a URL such as https://example.com/hook' : urlProblem(url);
  if (problem === undefined) return text;
  throw new ServiceError('InvalidField', `The value of field ${path} is not valid: ${problem}.`, { field: path });
}

/** Types of events, without repeats. */
export function checkTypes(value: JsonValue | undefined, path: string): readonly EventType[] {
  const types = checkArray(value, path).map((type, i) => oneOf(type, `${path}[${i}]`, eventTypes));
  if (types.length === 0) throw mismatch(path, `expected at least one of ${eventTypes.join(', ')}`);
  return [...new Set(types)];
}

/** The text of a predicate. It has no input variables. */
export function checkWhere(value: JsonValue | undefined, path: string): string {
  const text = checkString(value, path);
  parsePredicate(text, { variables: undefined, parameter: path });
  return text;
}

/** What events contain besides their own fields. */
export function checkInclude(value: JsonValue | undefined, path: string): 'resource' {
  return oneOf(value, path, ['resource'] as const);
}

export function checkDescription(value: JsonValue | undefined, path: string): string {
  const text = checkString(value, path);
  if (text.length > maxDescriptionLength) throw mismatch(path, `expected at most ${maxDescriptionLength} characters`);
  return text;
}

/** A secret that a client chose. It is never repeated in an error. */
export function checkSecret(value: JsonValue | undefined, path: string): string {
  const text = checkString(value, path);
  const problem = secretProblem(text);
  if (problem !== undefined) throw mismatch(path, problem);
  return text;
}

function oneOf<T extends string>(value: JsonValue | undefined, path: string, allowed: readonly T[]): T {
  const text = checkString(value, path);
  if ((allowed as readonly string[]).includes(text)) return text as T;
  const message = `The value '${text.slice(0, 128)}' is not valid for field ${path}: expected ${allowed.join(', ')}.`;
  throw new ServiceError('InvalidField', message, {
    field: path,
    invalidValue: text.slice(0, 128),
    allowedValues: allowed,
  });
}
