import { randomInt } from 'node:crypto';
import { stringifyJson } from '../../../domain/json/parse.ts';
import type { Change, Documents, IdempotentResponse } from '../../../domain/ports/resource-store.ts';
import { replacedByDeletion } from '../../row/change-record.ts';
import type { EventContent } from '../../row/logged-change.ts';
import { responseWrite as responseOnly, type Write, writeOf } from '../../row/write.ts';

/** A write with what the database is sent for it besides. */
export interface PreparedWrite extends Omit<Write, 'kind'> {
  /** `event`: nothing but an event. */
  readonly kind: Write['kind'] | 'event';
  /** Of its event. */
  readonly nonce: number;
  /**
   * What no other write of a statement may name: its id, the keys that it takes, keeps or leaves, and the marks that no other
   * resource may have.
   */
  readonly names: readonly string[];
  /** What others may name that only share it as well: the resources that it needs, and its other marks. */
  readonly shared: readonly string[];
}

/** Exact as a number of JavaScript. */
const createNonce = () => randomInt(1, 2 ** 48 - 1);

/** A write of nothing but a response. */
export function responseWrite(projectKey: string, response: IdempotentResponse): PreparedWrite {
  return { ...responseOnly(projectKey, response), nonce: 0, names: [], shared: [] };
}

/** A write of nothing but an event, which holds as long as `continues` is the last one of its id. */
export function eventWrite(projectKey: string, event: EventContent): PreparedWrite {
  const nothing = {
    expectedVersion: 0,
    expectedIncarnation: null,
    isOfDamaged: false,
    continues: undefined,
    rules: undefined,
  };
  const { id } = event;
  return {
    ...{ ...nothing, kind: 'event', projectKey, id, event, isLogged: true, documents: [], response: undefined },
    ...{ nonce: createNonce(), names: [], shared: [] },
  };
}

/** Computes what a change does to the row and the log. Without history the log has no more than what mirrors need. */
export function prepareWrite(change: Change, keepsHistory: boolean): PreparedWrite {
  const write = writeOf(change, keepsHistory, 'logged');
  const keyBefore = change.kind === 'create' ? undefined : change.before.current.key;
  const keys = [write.row?.key, keyBefore].flatMap((each) => (typeof each === 'string' ? [`key ${each}`] : []));
  const { marks = [], unique = [], needs = [], forbidden = [] } = write.rules ?? {};
  const own = [...new Set([...unique, ...forbidden])].map((mark) => `mark ${mark}`);
  const shared = [...needs.map(({ id }) => `id ${id}`), ...marks.map((mark) => `mark ${mark}`)];
  const prepared = { ...write, nonce: createNonce(), names: [`id ${write.id}`, ...new Set(keys), ...own], shared };
  if (change.kind !== 'delete' || write.isOfDamaged || !write.isLogged) return prepared;
  return { ...prepared, event: { ...write.event!, before: replacedByDeletion(textsOf(change.before)) } };
}

function textsOf({ current, staged }: Documents) {
  return { current: stringifyJson(current), staged: staged === undefined ? null : stringifyJson(staged) };
}
