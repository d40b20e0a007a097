import { checkFields, checkInteger, isAbsent, mismatch, missing } from '../../contract/check.ts';
import { invalidJson, ServiceError } from '../../contract/errors.ts';
import type { JsonObject } from '../../contract/json.ts';
import { checkKey } from '../../contract/resource.ts';
import type { NamedAction } from '../../contract/update.ts';
import {
  checkDescription,
  checkInclude,
  checkSecret,
  checkTypes,
  checkUrl,
  checkWhere,
  type UrlProblem,
} from './draft.ts';
import { isOver, type SubscriptionFields, type SubscriptionSecret } from './subscription.ts';

/** The update actions of a subscription, and the fields that each takes. */
export const subscriptionActions = {
  setKey: ['key'],
  setUrl: ['url'],
  setTypes: ['types'],
  setWhere: ['where'],
  setInclude: ['include'],
  setDescription: ['description'],
  enable: [],
  disable: [],
  rotateSecret: ['secret', 'overlapSeconds'],
} as const;
type ActionName = keyof typeof subscriptionActions;

/** How long a replaced secret keeps signing by default. */
export const usualOverlapSeconds = 86_400;
export const maxOverlapSeconds = 2_592_000;
/** Secrets that sign at the same time. */
export const maxSecrets = 5;

/** What the actions change: the fields, and the key. */
export interface Edited {
  readonly key: string | undefined;
  readonly fields: SubscriptionFields;
  /** A secret that the actions made or took over, to be shown once. */
  readonly newSecret?: string;
}

export interface ActionContext {
  readonly urlProblem: UrlProblem;
  readonly newSecret: () => string;
  readonly nowMs: number;
}

/** Applies update actions in their order. Throws 400 that names the action. */
export function applyActions(before: Edited, actions: readonly NamedAction[], context: ActionContext): Edited {
  return actions.reduce((edited, action, i) => applyAction(edited, action, `actions[${i}]`, context), before);
}

function applyAction(
  edited: Edited,
  { name, values }: NamedAction,
  path: string,
  { urlProblem, newSecret, nowMs }: ActionContext,
): Edited {
  if (!Object.hasOwn(subscriptionActions, name)) {
    const names = Object.keys(subscriptionActions).join(', ');
    throw invalidJson(`${path}.action: expected one of ${names}, not ${name.slice(0, 64)}`);
  }
  const action = name as ActionName;
  checkFields(values, path, ['action', ...subscriptionActions[action]]);
  const change = (fields: Partial<SubscriptionFields>): Edited => ({
    ...edited,
    fields: { ...edited.fields, ...fields },
  });
  switch (action) {
    case 'setKey':
      return { ...edited, key: isAbsent(values.key) ? undefined : checkKey(values.key, `${path}.key`) };
    case 'setUrl':
      if (isAbsent(values.url)) throw missing(`${path}.url`);
      return change({ url: checkUrl(values.url, `${path}.url`, urlProblem) });
    case 'setTypes':
      return change({ types: checkTypes(values.types, `${path}.types`) });
    case 'setWhere':
      return change({ where: checkWhere(values.where, `${path}.where`) });
    case 'setInclude':
      return change({ include: checkInclude(values.include, `${path}.include`) });
    case 'setDescription':
      return change({ description: checkDescription(values.description, `${path}.description`) });
    case 'enable':
      return change({ disabled: undefined });
    case 'disable':
      return change({ disabled: 'byClient' });
    case 'rotateSecret': {
      const value = checkSecret(values.secret, `${path}.secret`) ?? newSecret();
      const secrets = rotated(edited.fields.secrets, value, overlapOf(values, path), nowMs);
      return { ...change({ secrets }), newSecret: value };
    }
    default:
      return action satisfies never;
  }
}

function overlapOf({ overlapSeconds }: JsonObject, path: string): number {
  if (isAbsent(overlapSeconds)) return usualOverlapSeconds;
  const seconds = checkInteger(overlapSeconds, `${path}.overlapSeconds`);
  if (seconds >= 0n && seconds <= BigInt(maxOverlapSeconds)) return Number(seconds);
  throw mismatch(`${path}.overlapSeconds`, `expected 0 to ${maxOverlapSeconds}`);
}

/** The secrets with a new first one. Those before it end with the overlap, if they do not end earlier. */
function rotated(
  secrets: readonly SubscriptionSecret[],
  value: string,
  overlapSeconds: number,
  nowMs: number,
): readonly SubscriptionSecret[] {
  const end = new Date(nowMs + overlapSeconds * 1000).toISOString();
  const others = secrets.filter((secret) => secret.value !== value);
  const ending = others.map((secret) => {
    const endsEarlier = secret.expiresAt !== undefined && secret.expiresAt < end;
    return endsEarlier ? secret : { ...secret, expiresAt: end };
  });
  const all = [
    { value, createdAt: new Date(nowMs).toISOString() },
    ...ending.filter(({ expiresAt }) => !isOver(expiresAt, nowMs)),
  ];
  if (all.length <= maxSecrets) return all;
  throw new ServiceError(
    'InvalidOperation',
    `A subscription has at most ${maxSecrets} secrets at a time; rotate with a shorter overlapSeconds.`,
  );
}
