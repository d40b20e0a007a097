/**
 * What `npm test` leaves to `npm run test:all`, by the beginning of the path, and why: it takes most of the time of all tests, and fails
 * with a small part of the changes.
 */
export const leftOut: ReadonlyMap<string, string> = new Map([
  ['test/faults/', 'kills processes, fills disks, cuts power, stands behind proxies'],
  ['test/browser/', 'drives a browser'],
  ['test/storage/postgres/', 'starts PostgreSQL'],
  ['test/cli/compact', 'compacts stores, and kills that meanwhile'],
  ['test/examples', 'runs the programs of the documentation'],
  ['test/deploy/container', 'builds what the container image has'],
  ['test/package/', 'builds the package, installs it and runs it in other test runners'],
  ['test/clients/generated', 'generates and compiles clients'],
  ['test/clients/judges/', 'generates and compiles clients'],
  ['test/conformance/broken', 'breaks a service in one place at a time'],
  ['test/tools/', 'runs the release proofs and the programs for clusters in small'],
  ['test/images/crash', 'kills uploads at every step'],
  ['test/images/kill-9', 'kills uploads at every step'],
  ['test/images/codec-damaged', 'damages pictures byte by byte'],
  ['test/storage/sqlite/contained-damage', 'damages the tables of a database, one by one'],
  ['test/storage/sqlite/flipped-bits', 'flips a bit of each byte of a row'],
  ['test/storage/sqlite/search-quality', 'judges thousands of searches'],
  ['test/webhooks/damaged', 'damages records on both engines'],
  ['test/webhooks/failing', 'waits for receivers that fail'],
  ['test/webhooks/kill-9', 'kills services that deliver'],
  ['test/webhooks/random', 'restarts services between deliveries that fail'],
]);

/** Those of them that `npm test` runs all the same: on PostgreSQL what each store must do. */
export const runAnyway: ReadonlySet<string> = new Set([
  'test/storage/postgres/change-log.test.ts',
  'test/storage/postgres/migrations.test.ts',
  'test/storage/postgres/resource-store.test.ts',
  'test/storage/postgres/service.test.ts',
  'test/storage/postgres/ways-in.test.ts',
]);
