/**
 * Installs the tools that judge the OpenAPI document into `.judges`, in the versions that the files beside this one name:
 *
 *   node tools/judges/install.ts [python] [node] [go] [java]
 *
 * Installs all of them by default. Prints a line for a tool chain that is missing or fails: its judges are then skipped.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '../../test/optional-tools.ts';
import { type JudgeKind, judgesFolder, judgeVersions, openJudges } from './judges.ts';

interface Installation {
  readonly needs: readonly string[];
  readonly steps: (folder: string) => readonly (readonly [string, ...string[]])[];
}

const here = fileURLToPath(new URL('.', import.meta.url));

const installations: Readonly<Record<JudgeKind, Installation>> = {
  python: {
    needs: ['python3'],
    steps: (folder) => [
      ['python3', '-m', 'venv', folder],
      [join(folder, 'bin/pip'), 'install', '--quiet', '--no-deps', '-r', join(here, 'requirements.txt')],
    ],
  },
  node: {
    needs: ['npm'],
    steps: (folder) => {
      cpSync(join(here, 'node'), folder, { recursive: true });
      return [['npm', '--prefix', folder, 'ci', '--ignore-scripts', '--loglevel=error']];
    },
  },
  go: {
    needs: ['go'],
    steps: (folder) => [
      ['env', `GOBIN=${folder}`, 'go', 'install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2'],
      ['go', '-C', join(here, 'go'), 'mod', 'download'],
    ],
  },
  java: {
    needs: ['java', 'javac', 'mvn'],
    steps: (folder) => [
      ['mvn', '-q', '-f', join(here, 'pom.xml'), 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`],
    ],
  },
};

function install(kind: JudgeKind): void {
  const { needs, steps } = installations[kind];
  const missing = needs.filter((tool) => findTool(tool) === undefined);
  if (missing.length > 0) {
    console.log(`judges: ${kind} is skipped; install ${missing.join(' and ')}`);
    return;
  }
  const folder = join(judgesFolder, kind);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    for (const [command, ...args] of steps(folder)) execFileSync(command, args, { stdio: 'inherit' });
    writeFileSync(join(folder, 'installed'), judgeVersions(kind));
  } catch (error) {
    console.log(`judges: ${kind} could not be installed: ${(error as Error).message}`);
  }
}

const kinds = Object.keys(installations) as JudgeKind[];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !(kinds as string[]).includes(name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. Use some of ${kinds.join(', ')}.`);
for (const kind of kinds) if (named.length === 0 || named.includes(kind)) if (!openJudges(kind)) install(kind);
