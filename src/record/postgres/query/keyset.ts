import type { Position, PositionKey } from '../../../domain/ports/list-query.ts';
import { positionNumber } from '../../../index/plan/position-number.ts';
import { joined, listed, raw, type Sql, sql, typed } from '../../../index/plan/sql.ts';
import { isCut, numberKey, textKey, valueClass } from '../../../index/terms/order-key.ts';
import { keyDigits } from '../index/entry-row.ts';
import { missingClass } from '../index/ordered-entries.ts';
import { inEntryOrder, keyBytes, scannedEntries, scannedKeys } from './entries.ts';
import type { CompiledList, EntryScan, OrderKey, Selection } from './plan-list.ts';
import { fromMatches, keyJoins, orderBy, selectByEntries, selectSorted, slice } from './select.ts';

/**
 * Pages that continue where another one ended (decision 128). One condition for all that follows in the order would read
 * everything before it once more. So the parts of the order are read one after another, each by an index that begins
 * where it begins: what is equal in the first key, what is behind it, what lacks it.
 */

/** Where a page begins: behind these keys of its order, and where all are equal behind the id. */
export interface PageStart {
  readonly keys: readonly PositionKey[];
  readonly id: string;
}

export function pageStart(after: Position): PageStart {
  return { keys: after.slice(0, -1) as readonly PositionKey[], id: after.at(-1) as string };
}

type SelectIds = (count: number) => Sql;

/** The ids of what follows a position, in parts that come one after another. `byScan`: the entries have the order. */
export function partsAfter(list: CompiledList, { keys, id }: PageStart, byScan: boolean): readonly SelectIds[] {
  const { order } = list;
  const [first, ...rest] = order;
  const key = keys[0]!;
  if (first && (first.column || byScan)) {
    const { direction, scan } = first;
    const behindRest = isBehind(rest, keys.slice(1), id);
    const lacking = first.column === 'key' ? raw('r.key IS NULL') : first.column ? undefined : scan!.lacking;
    const part =
      (of: readonly OrderKey[], ...conditions: readonly Sql[]): SelectIds =>
      (count) =>
        selectSorted(narrowed(list, ...conditions), of, count, 0);
    if (key === null && (first.column || lacking)) {
      const same = part(rest, lacking!, behindRest);
      if (direction === 'asc') return [same];
      const present = first.column
        ? part(order, raw('r.key IS NOT NULL'))
        : (count: number) => selectByEntries(list, scan!, order, count, 0);
      return [same, present];
    }
    const without = direction === 'asc' && lacking ? [part(rest, lacking)] : [];
    if (!first.column) return [...entryParts(list, scan!, keys, id), ...without];
    const isUnique = first.column === 'id' || first.column === 'key';
    const same = isUnique ? [] : [part(rest, isSame(first, 0, key), behindRest)];
    return [...same, part(order, isLater(first, 0, key)!), ...without];
  }
  return [(count) => selectSorted(narrowed(list, isBehind(order, keys, id)), order, count, 0)];
}

function narrowed<T extends Selection>(selection: T, ...conditions: readonly Sql[]): T {
  return { ...selection, conditions: [...selection.conditions, ...conditions] };
}

/** What has an entry: the same one, and those behind it. */
function entryParts(
  list: CompiledList,
  scan: EntryScan,
  keys: readonly PositionKey[],
  id: string,
): readonly SelectIds[] {
  const { order, projectKey } = list;
  const [first, ...rest] = order as readonly [OrderKey, ...OrderKey[]];
  const { direction } = first;
  const [entry, cut] = entryOf(keys[0]!);
  const own = keyBytes(keyDigits(entry));
  // Texts that begin alike share an entry.
  const ties = cut ? order : rest;
  const behind = cut ? isBehind(order, keys, id) : isBehind(rest, keys.slice(1), id);
  const select =
    (range: Sql, condition: Sql, of: readonly OrderKey[], by: Sql): SelectIds =>
    (count) => {
      const entries = scannedEntries(projectKey, scan, direction, range);
      return sql`SELECT r.id FROM ${entries} JOIN resource r ON r.project_key = ${projectKey} AND r.id = o.id${keyJoins(of)}
        WHERE ${joined([...list.conditions, condition], 'AND')} ORDER BY ${by} ${slice(count, 0)}`;
    };
  const beyond = direction === 'asc' ? sql`o.key > ${own} AND ${scannedKeys(scan)}` : sql`o.key < ${own}`;
  const by = sql`${inEntryOrder(direction)}, ${orderBy(order)}`;
  return [select(sql`o.key = ${own}`, behind, ties, orderBy(ties)), select(beyond, raw('TRUE'), order, by)];
}

/** What follows the mark of an entry, and whether other values may have the same. */
function entryOf(key: PositionKey): readonly [entry: string, cut: boolean] {
  if (key === null) return [missingClass, false];
  if (typeof key === 'boolean') return [valueClass.boolean + (key ? '1' : '0'), false];
  if (typeof key === 'object') return [valueClass.number + numberKey(positionNumber(key.number)), false];
  return [valueClass.text + textKey(key), isCut(textKey(key))];
}

/** True for everything behind a position. The alias of a key is `k` and its index in the order. */
export function isBehind(order: readonly OrderKey[], keys: readonly PositionKey[], id: string): Sql {
  return order.reduceRight<Sql>((behindRest, each, at) => {
    const key = keys[at]!;
    const later = isLater(each, at, key);
    const missing = each.direction === 'asc' && key !== null ? [isSame(each, at, null)] : [];
    return joined([...(later ? [later] : []), ...missing, sql`(${isSame(each, at, key)} AND ${behindRest})`], 'OR');
  }, sql`r.id > ${id}`);
}

function isSame(order: OrderKey, at: number, key: PositionKey): Sql {
  const [first] = order.expressions(`k${at}`) as readonly [Sql];
  if (key === null) return sql`${first} IS NULL`;
  if (order.column) return sql`${first} = ${columnValue(key)}`;
  const { cls, column, value } = classed(key, `k${at}`);
  return sql`(${first} = ${cls} AND ${column} = ${value})`;
}

/** True where the key is a value behind this one; undefined if nothing can be. */
function isLater(order: OrderKey, at: number, key: PositionKey): Sql | undefined {
  const [first] = order.expressions(`k${at}`) as readonly [Sql];
  if (key === null) return order.direction === 'asc' ? undefined : sql`${first} IS NOT NULL`;
  const op = raw(order.direction === 'asc' ? '>' : '<');
  if (order.column) return sql`${first} ${op} ${columnValue(key)}`;
  const { cls, column, value } = classed(key, `k${at}`);
  return sql`(${first} ${op} ${cls} OR (${first} = ${cls} AND ${column} ${op} ${value}))`;
}

function columnValue(key: PositionKey): Sql {
  return typeof key === 'object' && key !== null ? typed(key.number, 'bigint') : typed(key as string, 'text');
}

function classed(key: Exclude<PositionKey, null>, alias: string) {
  if (typeof key === 'string') return { cls: raw('1'), column: raw(`${alias}.text`), value: typed(key, 'text') };
  const [cls, digits] = typeof key === 'boolean' ? ['2', key ? '1' : '0'] : ['0', key.number];
  return { cls: raw(cls), column: raw(`${alias}.number`), value: typed(digits, 'numeric') };
}

/** The keys of an order as one JSON array of texts, for `positionOf`. `columnsOf` names the columns of a key. */
export function keysAsText(order: readonly OrderKey[], columnsOf: (key: OrderKey, at: number) => readonly Sql[]): Sql {
  const columns = order.flatMap((key, at) => columnsOf(key, at).map((each) => sql`${each}::text`));
  return columns.length === 0 ? raw("'[]'") : sql`jsonb_build_array(${listed(columns, ', ')})::text`;
}

/** Such an array of one resource. */
export function selectKeys(projectKey: string, id: string, order: readonly OrderKey[]): Sql {
  const only = { projectKey, conditions: [sql`r.id = ${id}`] } as const;
  const keys = keysAsText(order, ({ expressions }, at) => expressions(`k${at}`));
  return sql`SELECT ${keys} AS keys ${fromMatches(only, order)}`;
}

/** The position behind a resource with these keys. */
export function positionOf(order: readonly OrderKey[], keys: string, id: string): Position {
  const texts = JSON.parse(keys) as (string | null)[];
  const position = order.map((key): PositionKey => {
    const [first, number, text] = texts.splice(0, key.column ? 1 : 3) as [string | null, ...(string | null)[]];
    if (key.column) return key.column === 'version' ? { number: first! } : first;
    if (first === null || first === '1') return first === null ? null : text!;
    return first === '2' ? number === '1' : { number: number! };
  });
  return [...position, id];
}
