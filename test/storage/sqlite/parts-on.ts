import type { DatabaseSync } from 'node:sqlite';
import { createDamagedRows } from '../../../src/index/follow/damaged-rows.ts';
import { Follower } from '../../../src/index/follow/follower.ts';
import type { Followed } from '../../../src/index/follow/rebuild-indexes.ts';
import { Columns, type ColumnsOptions } from '../../../src/index/search/columns/columns.ts';
import { createSearchCache, type SearchCache } from '../../../src/index/search/search-cache.ts';
import { createChangeSource } from '../../../src/record/sqlite/log/change-source.ts';
import { createChangedRows } from '../../../src/record/sqlite/log/changed-rows.ts';
import { Applier } from '../../../src/record/sqlite/write/apply.ts';

/** The parts of the embedded store on one connection, put together as the store does. */

export const applierOn = (db: DatabaseSync): Applier => new Applier(db, createDamagedRows(db));

export const followedOn = (db: DatabaseSync): Followed => ({ db, source: createChangeSource(db) });

export const followerOn = (db: DatabaseSync, declaredPaths: readonly string[]): Follower =>
  new Follower(db, declaredPaths, createChangeSource(db));

export const columnsOn = (db: DatabaseSync, options: ColumnsOptions): Columns =>
  new Columns(createChangedRows(db), options);

export const searchCacheOn = (db: DatabaseSync, options: ColumnsOptions = {}): SearchCache =>
  createSearchCache(db, createChangedRows(db), options);
