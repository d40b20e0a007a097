import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { JsonValue } from '../contract/json.ts';
import { isProjectKey } from '../contract/scopes.ts';
import { parseJsonBytes } from '../domain/json/parse.ts';
import { getOwn, isJsonObject } from '../domain/json/values.ts';
import { type HttpSettings, readHttpSettings } from './http/settings.ts';

export interface ModuleSettings {
  readonly kind: 'module';
  /** Absolute path. */
  readonly file: string;
}

export type BackendSettings = typeof local | HttpSettings | ModuleSettings;

/** All problems of the file of backends, a line each. */
export class BackendsFileError extends Error {
  /** Each begins with the name of the file. */
  readonly problems: readonly string[];
  constructor(file: string, problems: readonly string[]) {
    const lines = problems.map((problem) => `${file}: ${problem}`);
    super(lines.join('\n'));
    this.name = 'BackendsFileError';
    this.problems = lines;
  }
}

/** An object of the file. Everything that is wrong in it is reported under its path. */
export interface SettingsObject {
  get(name: string): JsonValue | undefined;
  /** The object in a field, empty where the field is absent; undefined, and reported, where it is something else. */
  object(name: string): SettingsObject | undefined;
  readonly names: readonly string[];
  report(name: string, problem: string): void;
  /** Reports all other names: a typo must not be ignored. */
  allowOnly(names: readonly string[]): void;
}

type Report = (path: string, problem: string) => void;

function settingsObject(value: JsonValue, path: string, report: Report): SettingsObject | undefined {
  if (!isJsonObject(value)) {
    report(path === '' ? 'the file' : path, 'expected an object');
    return undefined;
  }
  const names = Object.keys(value);
  const pathOf = (name: string) => (path === '' ? name : `${path}.${name}`);
  return {
    get: (name) => getOwn(value, name),
    object: (name) => settingsObject(getOwn(value, name) ?? {}, pathOf(name), report),
    names,
    report: (name, problem) => report(pathOf(name), problem),
    allowOnly(allowed) {
      const unknown = names.filter((name) => !allowed.includes(name));
      for (const name of unknown) report(pathOf(name), `unknown; expected ${allowed.join(', ')}`);
    },
  };
}

const local = { kind: 'local' } as const;

/** Reads the file of backends; without one all are local. Throws `BackendsFileError` with all problems at once. */
export function readBackendSettings(file: string | undefined): {
  readonly fallback: BackendSettings;
  readonly projects: ReadonlyMap<string, BackendSettings>;
} {
  const projects = new Map<string, BackendSettings>();
  if (file === undefined) return { fallback: local, projects };
  const problems: string[] = [];
  const all = settingsObject(parseFile(file), '', (path, problem) => problems.push(`${path}: ${problem}`));
  all?.allowOnly(['default', 'projects']);
  const folder = resolve(dirname(file));
  const fallback = all?.get('default') === undefined ? local : readBackend(all.object('default'), folder);
  const byProject = all?.object('projects');
  for (const projectKey of byProject?.names ?? []) {
    if (!isProjectKey(projectKey)) {
      byProject?.report(projectKey, 'expected a project key: 1 to 64 of A–Z a–z 0–9 _ -');
    }
    projects.set(projectKey, readBackend(byProject?.object(projectKey), folder));
  }
  if (problems.length > 0) throw new BackendsFileError(file, problems);
  return { fallback, projects };
}

function parseFile(file: string): JsonValue {
  try {
    return parseJsonBytes(readFileSync(file));
  } catch (error) {
    const details = (error as { details?: { detailedErrorMessage?: string } }).details;
    throw new BackendsFileError(file, [details?.detailedErrorMessage ?? String((error as Error).message)]);
  }
}

function readBackend(object: SettingsObject | undefined, folder: string): BackendSettings {
  switch (object?.get('kind')) {
    case 'http':
      return readHttpSettings(object!, folder);
    case 'module': {
      object!.allowOnly(['kind', 'file']);
      const file = object!.get('file');
      if (typeof file !== 'string' || file === '') object!.report('file', 'expected the path of a module');
      return { kind: 'module', file: resolve(folder, String(file)) };
    }
    case 'local':
      object!.allowOnly(['kind']);
      return local;
    default:
      object?.report('kind', 'expected local, http or module');
      return local;
  }
}
