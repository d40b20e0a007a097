/** What clients were told, so that it can be compared with what a service has after a failure. */

/** A resource as it is found. */
export interface Found {
  readonly version: number;
  readonly value: string;
}

/** One write of a resource. Without a value it deletes. */
export interface Step {
  readonly version: number;
  readonly value: string | undefined;
}

/** The writes of one resource, which were sent one after the other. */
export interface Account {
  readonly steps: Step[];
  /** How many of them were acknowledged. At most one more was sent. */
  acknowledged: number;
}

/** The accounts of resources by their id. */
export type Ledger = Map<string, Account>;

/** Notes that a write is about to be sent. */
export function noteSent(ledger: Ledger, id: string, step: Step): Account {
  const account = ledger.get(id) ?? { steps: [], acknowledged: 0 };
  account.steps.push(step);
  ledger.set(id, account);
  return account;
}

/** The ids of the resources that exist according to the acknowledgements. */
export function acknowledgedIds(ledger: Ledger): readonly string[] {
  return [...ledger].flatMap(([id, account]) => (stateAfter(account, account.acknowledged) ? id : []));
}

/** How many writes were acknowledged. */
export function acknowledgedWrites(ledger: Ledger): number {
  return [...ledger.values()].reduce((sum, { acknowledged }) => sum + acknowledged, 0);
}

/** The state after the first writes of an account; undefined where there is no resource. */
function stateAfter({ steps }: Account, count: number): Found | undefined {
  const { version, value } = steps[count - 1] ?? { version: 0, value: undefined };
  return value === undefined ? undefined : { version, value };
}

const isSame = (a: Found | undefined, b: Found | undefined) => a?.version === b?.version && a?.value === b?.value;
const shown = (state: Found | undefined) => (state ? `version ${state.version} (${state.value})` : 'nothing');

export interface Comparison {
  /** Each begins with its kind: `lost`, `changed` or `unknown`. */
  readonly violations: readonly string[];
  /** Writes that are there although no response came. */
  readonly unacknowledged: number;
}

/** Every resource must be in its last acknowledged state, or in the one that was being written. */
export function compareLedger(ledger: Ledger, found: ReadonlyMap<string, Found>): Comparison {
  const violations: string[] = [];
  let unacknowledged = 0;
  for (const [id, account] of ledger) {
    const { steps, acknowledged } = account;
    const now = found.get(id);
    if (isSame(now, stateAfter(account, acknowledged))) continue;
    if (steps.length > acknowledged && isSame(now, stateAfter(account, acknowledged + 1))) unacknowledged += 1;
    else violations.push(`${kindOf(account, now)}: ${id}: found ${shown(now)}, ${toldOf(account)}`);
  }
  for (const [id, state] of found) {
    if (!ledger.has(id)) violations.push(`unknown: ${id}: found ${shown(state)}, and nobody wrote it`);
  }
  return { violations, unacknowledged };
}

function kindOf(account: Account, now: Found | undefined): 'lost' | 'changed' {
  const earlier = Array.from({ length: account.acknowledged }, (_, count) => stateAfter(account, count));
  return earlier.some((state) => isSame(state, now)) ? 'lost' : 'changed';
}

function toldOf(account: Account): string {
  const told = shown(stateAfter(account, account.acknowledged));
  return `${account.acknowledged} writes were acknowledged, the last one left ${told}`;
}
