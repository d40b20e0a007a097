import type { JsonObject } from '../../contract/json.ts';
import type { EventType } from '../../domain/ports/change-log.ts';
import type { ResourceRecord } from '../../domain/ports/resource-store.ts';
import { parseRecord } from '../../domain/resource/resource.ts';
import { contentOf } from '../records/records.ts';

/** A secret that signs the deliveries of a subscription. */
export interface SubscriptionSecret {
  /** `whsec_` and base64. */
  readonly value: string;
  readonly createdAt: string;
  /** When it stops to sign, after one that replaced it. */
  readonly expiresAt?: string | undefined;
}

/** What a client says of a subscription, and its secrets. */
export interface SubscriptionFields {
  /** 1–2,048 characters. */
  readonly url: string;
  /** Types of events; undefined: all of them. */
  readonly types?: readonly EventType[] | undefined;
  /** Text of a predicate that the resource of an event must satisfy. */
  readonly where?: string | undefined;
  /** Undefined: events come without their resource. */
  readonly include?: 'resource' | undefined;
  readonly description?: string | undefined;
  /** Why nothing is delivered; undefined: deliveries are made. */
  readonly disabled?: DisabledReason | undefined;
  /** Newest first, at least one. */
  readonly secrets: readonly SubscriptionSecret[];
}

/** `byClient`: as an update said. `gone`: the receiver answered 410. */
export type DisabledReason = 'byClient' | 'gone';

/** A subscription as it is stored: a resource of a companion project. */
export interface Subscription extends SubscriptionFields {
  readonly projectKey: string;
  readonly id: string;
  readonly key: string | undefined;
  readonly version: number;
}

/** The fields in a record of a subscription. */
export function fieldsOf(record: ResourceRecord): SubscriptionFields {
  return contentOf(record) as unknown as SubscriptionFields;
}

/** The subscription in a record. */
export function subscriptionOf(projectKey: string, record: ResourceRecord): Subscription {
  const { id, key, version } = record;
  return { ...fieldsOf(record), projectKey, id, key, version };
}

/** The secrets that sign at a time, newest first. */
export function signingSecrets({ secrets }: SubscriptionFields, nowMs: number): readonly string[] {
  return secrets.filter(({ expiresAt }) => !isOver(expiresAt, nowMs)).map(({ value }) => value);
}

/** True for a secret whose time is over. */
export function isOver(expiresAt: string | undefined, nowMs: number): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= nowMs;
}

/** A subscription as responses show it: everything but the texts of its secrets. */
export function viewSubscription(record: ResourceRecord): JsonObject {
  const { id, version, key, createdAt, lastModifiedAt, createdBy, lastModifiedBy } = parseRecord(record).resource;
  // A damaged one that is deleted has none of them.
  const { secrets = [], disabled, ...shown } = fieldsOf(record) as Partial<SubscriptionFields>;
  return {
    ...{ id, version, ...(key !== undefined && { key }), createdAt, lastModifiedAt, createdBy, lastModifiedBy },
    ...(shown as JsonObject),
    status: disabled === undefined ? 'enabled' : 'disabled',
    ...(disabled && { disabledReason: disabled }),
    secrets: secrets.map(({ createdAt, expiresAt }) => ({ createdAt, ...(expiresAt !== undefined && { expiresAt }) })),
  };
}
