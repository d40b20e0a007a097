/**
 * What clients of one resource did and saw, and whether a single copy of it could have responded that way. No search is
 * needed: each acknowledged write has a version of its own, so the versions are the order.
 */
export interface Operation {
  readonly kind: 'read' | 'write';
  readonly resource: string;
  /** When the client sent the request, and when it had the response. */
  readonly start: number;
  readonly end: number;
  /** Of a write: the version that it made, or that it would have made. */
  readonly version: number;
  readonly value: string;
  /** `unknown`: no response came, so the write may or may not have happened. */
  readonly outcome: 'acknowledged' | 'unknown';
}

/** Everything that contradicts one copy with versions without gaps; empty where nothing does. */
export function findViolations(operations: readonly Operation[]): readonly string[] {
  const resources = Map.groupBy(operations, ({ resource }) => resource);
  return [...resources.values()].flatMap((those) => [...checkVersions(those), ...checkOrder(those)]);
}

const shown = ({ kind, resource, version, value, start, end }: Operation) =>
  `${kind} of ${resource} version ${version} = ${value} (${start}–${end})`;

/** Versions are unique and without gaps, and every read has the value of the write of its version. */
function checkVersions(operations: readonly Operation[]): readonly string[] {
  const violations: string[] = [];
  const writes = new Map<number, Operation>();
  const unknown = Map.groupBy(
    operations.filter(({ outcome }) => outcome === 'unknown'),
    ({ version }) => version,
  );
  for (const operation of operations) {
    if (operation.kind !== 'write' || operation.outcome !== 'acknowledged') continue;
    if (writes.has(operation.version)) violations.push(`twice written: ${shown(operation)}`);
    writes.set(operation.version, operation);
  }
  for (const operation of operations) {
    if (operation.kind !== 'read') continue;
    const write = writes.get(operation.version);
    const possible = write ? [write] : (unknown.get(operation.version) ?? []);
    if (!possible.some(({ value }) => value === operation.value)) violations.push(`never written: ${shown(operation)}`);
  }
  const versions = [...writes.keys()].sort((a, b) => a - b);
  for (let version = versions[0] ?? 0; version < (versions.at(-1) ?? 0); version += 1) {
    if (!writes.has(version) && !unknown.has(version)) violations.push(`gap: no client wrote version ${version}`);
  }
  return violations;
}

/**
 * Real time: what began after another had ended sees at least its version, and a write makes a later one. The
 * operations by their start, with the greatest version among those that ended before.
 */
function checkOrder(operations: readonly Operation[]): readonly string[] {
  const violations: string[] = [];
  const answered = operations.filter(({ outcome }) => outcome === 'acknowledged');
  const byEnd = answered.toSorted((a, b) => a.end - b.end);
  let ended = 0;
  let latest: Operation | undefined;
  for (const operation of answered.toSorted((a, b) => a.start - b.start)) {
    for (let next = byEnd[ended]; next && next.end < operation.start; next = byEnd[ended]) {
      if (!latest || next.version > latest.version) latest = next;
      ended += 1;
    }
    if (!latest) continue;
    const least = operation.kind === 'write' ? latest.version + 1 : latest.version;
    if (operation.version < least) violations.push(`too old: ${shown(operation)} after ${shown(latest)}`);
  }
  return violations;
}
