import { checkFields, checkOverlap, optional } from '../../contract/check.ts';
import { invalidJson, ServiceError } from '../../contract/errors.ts';
import type { JsonObject, JsonValue } from '../../contract/json.ts';
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

/** How long a replaced secret keeps signing by default. */
export const usualOverlapSeconds = 86_400;
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

/** An update action of a subscription. */
interface SubscriptionAction {
  /** The fields that it takes. */
  readonly fields: readonly string[];
  readonly apply: (edited: Edited, values: JsonObject, path: string, context: ActionContext) => Edited;
}

export const subscriptionActions: Readonly<Record<string, SubscriptionAction>> = {
  setKey: {
    fields: ['key'],
    apply: (edited, values, path) => ({ ...edited, key: optional(values, 'key', path, checkKey) }),
  },
  setUrl: {
    fields: ['url'],
    apply: (edited, { url }, path, { urlProblem }) =>
      withFields(edited, { url: checkUrl(url, `${path}.url`, urlProblem) }),
  },
  setTypes: setting('types', checkTypes),
  setWhere: setting('where', checkWhere),
  setInclude: setting('include', checkInclude),
  setDescription: setting('description', checkDescription),
  enable: { fields: [], apply: (edited) => withFields(edited, { disabled: undefined }) },
  disable: { fields: [], apply: (edited) => withFields(edited, { disabled: 'byClient' }) },
  rotateSecret: {
    fields: ['secret', 'overlapSeconds'],
    apply(edited, values, path, { newSecret, nowMs }) {
      const value = optional(values, 'secret', path, checkSecret) ?? newSecret();
      const overlapSeconds = optional(values, 'overlapSeconds', path, checkOverlap) ?? usualOverlapSeconds;
      const secrets = rotated(edited.fields.secrets, value, overlapSeconds, nowMs);
      return { ...withFields(edited, { secrets }), newSecret: value };
    },
  },
};

/** An action that sets one of the fields, or removes it. */
function setting(name: keyof SubscriptionFields, check: (value: JsonValue | undefined, path: string) => unknown) {
  const apply: SubscriptionAction['apply'] = (edited, values, path) =>
    withFields(edited, { [name]: optional(values, name, path, check) });
  return { fields: [name], apply };
}

function withFields(edited: Edited, fields: Partial<SubscriptionFields>): Edited {
  return { ...edited, fields: { ...edited.fields, ...fields } };
}

/** Applies update actions in their order. Throws 400 that names the action. */
export function applyActions(before: Edited, actions: readonly NamedAction[], context: ActionContext): Edited {
  return actions.reduce((edited, { name, values }, i) => {
    const path = `actions[${i}]`;
    const action = Object.hasOwn(subscriptionActions, name) ? subscriptionActions[name] : undefined;
    if (action === undefined) {
      const names = Object.keys(subscriptionActions).join(', ');
      throw invalidJson(`${path}.action: expected one of ${names}, not ${name.slice(0, 64)}`);
    }
    checkFields(values, path, ['action', ...action.fields]);
    return action.apply(edited, values, path, context);
  }, before);
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
