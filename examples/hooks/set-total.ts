import { defineHook, type JsonObject } from 'generic-resource-service';

interface Line {
  readonly centAmount?: unknown;
  readonly count?: unknown;
}

/** A resource with `lines` has their sum as `totalCentAmount`, whatever a client sends. */
function withTotal(own: JsonObject): JsonObject {
  if (!Array.isArray(own.lines)) return own;
  const amounts = (own.lines as readonly Line[]).map(({ centAmount, count = 1 }) => Number(centAmount) * Number(count));
  return { ...own, totalCentAmount: amounts.reduce((sum, amount) => sum + amount, 0) };
}

export default defineHook({
  name: 'setTotal',
  before({ kind, current, staged, refuse }) {
    if (kind === 'delete') return undefined;
    const [now, later] = [withTotal(current), staged && withTotal(staged)];
    if (!Number.isSafeInteger(now.totalCentAmount ?? 0) || !Number.isSafeInteger(later?.totalCentAmount ?? 0)) {
      refuse('lines: expected a whole centAmount and count in each');
    }
    return { current: now, staged: later };
  },
});
