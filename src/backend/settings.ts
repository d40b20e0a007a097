import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ActionName } from '../contract/backend-actions.ts';
import type { JsonValue } from '../contract/json.ts';
import { isProjectKey } from '../contract/scopes.ts';
import { fieldsOf, getOwn, isJsonObject } from '../domain/json/object.ts';
import { parseJsonBytes } from '../domain/json/parse.ts';
import { checkHttpSettings } from './http/settings.ts';
import { type Complain, knownNames, objectAt } from './settings-checks.ts';

export interface LocalSettings {
  readonly kind: 'local';
}

export interface HttpSettings {
  readonly kind: 'http';
  /** `{projectKey}` in its path stands for the project. */
  readonly url: string;
  /** Addresses beside the public ones, as CIDR ranges. */
  readonly allow: readonly string[];
  /** Sent with every request, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly actions: readonly ActionName[];
  /** PEM text of the authorities that its certificate is checked against; undefined for the usual ones. */
  readonly ca: string | undefined;
  readonly maxConcurrent: number;
  readonly failuresToOpen: number;
  readonly openMs: number;
}

export interface ModuleSettings {
  readonly kind: 'module';
  /** Absolute path. */
  readonly file: string;
}

export type BackendSettings = LocalSettings | HttpSettings | ModuleSettings;

/** Which backend each project has; the default is for all others. */
export interface AllBackendSettings {
  readonly fallback: BackendSettings;
  readonly projects: ReadonlyMap<string, BackendSettings>;
}

/** What is wrong with the file of backends, a line each. */
export class BackendsFileError extends Error {
  /** Each with the file. */
  readonly problems: readonly string[];
  constructor(file: string, problems: readonly string[]) {
    const lines = problems.map((problem) => `${file}: ${problem}`);
    super(lines.join('\n'));
    this.name = 'BackendsFileError';
    this.problems = lines;
  }
}

const local: LocalSettings = { kind: 'local' };

/** Reads the file of backends; without one all are local. Throws `BackendsFileError` with all problems at once. */
export function readBackendSettings(file: string | undefined): AllBackendSettings {
  if (file === undefined) return { fallback: local, projects: new Map() };
  const problems: string[] = [];
  const complain: Complain = (place, problem) => problems.push(`${place}: ${problem}`);
  const settings = checkAll(parseFile(file), resolve(dirname(file)), complain);
  if (problems.length > 0) throw new BackendsFileError(file, problems);
  return settings;
}

function parseFile(file: string): JsonValue {
  try {
    return parseJsonBytes(readFileSync(file));
  } catch (error) {
    const details = (error as { details?: { detailedErrorMessage?: string } }).details;
    throw new BackendsFileError(file, [details?.detailedErrorMessage ?? String((error as Error).message)]);
  }
}

function checkAll(value: JsonValue, folder: string, complain: Complain): AllBackendSettings {
  const all = objectAt(value, 'the file', complain);
  knownNames(all, ['default', 'projects'], '', complain);
  const fallback = getOwn(all, 'default');
  const projects = new Map<string, BackendSettings>();
  for (const [projectKey, each] of fieldsOf(objectAt(getOwn(all, 'projects') ?? {}, 'projects', complain))) {
    const place = `projects.${projectKey}`;
    if (!isProjectKey(projectKey)) complain(place, 'a project key expected: 1 to 64 of A–Z a–z 0–9 _ -');
    projects.set(projectKey, checkOne(each, place, folder, complain));
  }
  return { fallback: fallback === undefined ? local : checkOne(fallback, 'default', folder, complain), projects };
}

function checkOne(value: JsonValue, place: string, folder: string, complain: Complain): BackendSettings {
  const one = objectAt(value, place, complain);
  switch (getOwn(one, 'kind')) {
    case 'local':
      knownNames(one, ['kind'], place, complain);
      return local;
    case 'module': {
      knownNames(one, ['kind', 'file'], place, complain);
      const file = getOwn(one, 'file');
      if (typeof file !== 'string' || file === '') complain(`${place}.file`, 'the path of a module expected');
      return { kind: 'module', file: resolve(folder, String(file)) };
    }
    case 'http':
      return checkHttpSettings(one, place, folder, complain);
    default:
      if (isJsonObject(value)) complain(`${place}.kind`, 'local, http or module expected');
      return local;
  }
}
