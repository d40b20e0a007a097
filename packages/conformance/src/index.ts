/** Checks of the interface from outside, against any implementation of it. */
export { type Access, grantToken, NoToken, openApi } from './api.ts';
export { type Endpoint, endpoints } from './check.ts';
export { allChecks, type CheckResult, reportLines, runChecks } from './run-checks.ts';
