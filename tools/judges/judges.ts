import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The tool chains of the judges; each has a folder in `.judges`. */
export type JudgeKind = 'python' | 'node' | 'go' | 'java';

export const judgesFolder = fileURLToPath(new URL('../../.judges', import.meta.url));

/** The files that name the versions of what `install.ts` installs. */
const versionFiles: Readonly<Record<JudgeKind, readonly string[]>> = {
  python: ['requirements.txt'],
  node: ['node/package-lock.json'],
  go: ['go/go.mod', 'install.ts'],
  java: ['pom.xml'],
};

/** The versions that are wanted, as text. */
export function judgeVersions(kind: JudgeKind): string {
  return versionFiles[kind].map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n');
}

/** The folder of the tools of a kind; undefined where they are not installed in the versions that are wanted. */
export function openJudges(kind: JudgeKind): string | undefined {
  const folder = join(judgesFolder, kind);
  const file = join(folder, 'installed');
  return existsSync(file) && readFileSync(file, 'utf8') === judgeVersions(kind) ? folder : undefined;
}
