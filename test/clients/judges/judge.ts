import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type JudgeKind, openJudges } from '../../../tools/judges/judges.ts';
import { startTestApi, type TestApi } from '../../start-test-api.ts';
import { documentFile, openProject } from '../generate.ts';

/** A generator that makes a client of the OpenAPI document, and how the client is compiled and run with a program. */

export interface Place {
  /** Has the program, and what is generated beside it. */
  readonly folder: string;
  /** The OpenAPI document. */
  readonly document: string;
  /** The installed tools of a kind. */
  tools(kind: JudgeKind): string;
}

export type Command = readonly [string, ...string[]];

export interface Judge {
  readonly name: string;
  /** True: of the document of a project with types. */
  readonly isTyped?: true;
  readonly kinds: readonly JudgeKind[];
  /** A file of `programs`, and its name beside the generated client. */
  readonly program: readonly [file: string, as: string];
  readonly generate: (at: Place) => readonly Command[];
  /** Of what the generator wrote: the parts that say what it has left out of the client. Absent: lines with such words. */
  readonly omissions?: (output: string) => readonly string[];
  /** Absent: as TypeScript. */
  readonly compile?: (at: Place) => readonly Command[];
  readonly run?: (at: Place) => Command;
}

/** Every program does the same, and prints what came of it. */
const expected = {
  created: 1,
  found: ['shoe-1'],
  name: { en: 'Red shoe' },
  listed: ['shoe-1'],
  conflict: { status: 409, code: 'ConcurrentModification', currentVersion: 1 },
};

/** The same of the programs of a project with types. */
const expectedOfTypes = { created: 1, price: 500, name: 'Red sofa', refused: ['InvalidField', 'price'] };

const types = {
  category: { schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  product: {
    schema: {
      type: 'object',
      required: ['name', 'price'],
      properties: {
        name: { type: 'object', additionalProperties: { type: 'string' } },
        price: { type: 'integer', minimum: 0 },
        size: { $ref: '#/$defs/size' },
        tags: { type: 'array', items: { type: 'string' } },
      },
      $defs: { size: { type: 'object', required: ['width'], properties: { width: { type: 'number' } } } },
    },
    references: { category: { type: 'category' } },
  },
};

/** Declares types in the project `typed`. Resolves to its OpenAPI document. */
async function documentOfTypes(api: TestApi): Promise<string> {
  const { status, text } = await api.call({ method: 'PUT', path: '/typed/settings/types', body: { types } });
  assert.equal(status, 200, text);
  return (await api.call({ path: '/typed/openapi.json' })).text;
}

export const python = (at: Place) => join(at.tools('python'), 'bin/python');

/** Imports every module of a package: the models are evaluated at the import. */
export const importAll = (folder: string, name: string) => {
  const code = `import importlib, pkgutil, sys; sys.path.insert(0, ${JSON.stringify(folder)}); import ${name} as p
for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.'): importlib.import_module(m.name)`;
  return ['-c', code];
};

/** Generated TypeScript has enums, and imports that Node does not follow. */
const bundle: Command = [
  fileURLToPath(new URL('../../../node_modules/.bin/esbuild', import.meta.url)),
  ...['program.ts', '--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs', '--log-level=warning'],
];

function omittedLines(output: string): readonly string[] {
  const lines = output.split('\n').filter((line) => /\bERROR\b|not (yet )?supported/.test(line));
  // The forms of lists and searches have `var.*`, whose names nothing can list.
  return lines.filter((line) => !/Form parameters with additionalProperties/.test(line));
}

/** Runs a command in the folder. Rejects with what it wrote. */
export async function execute(folder: string, [command, ...args]: Command, environment = {}): Promise<string> {
  const env = { ...process.env, ...environment };
  delete (env as NodeJS.ProcessEnv).NODE_OPTIONS;
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, { cwd: folder, env, maxBuffer: 64 << 20 });
    return stdout + stderr;
  } catch (error) {
    const { message, stdout, stderr } = error as Error & { stdout: string; stderr: string };
    throw new Error(`${message.slice(0, 200)}\n${stdout.slice(-8000)}\n${stderr.slice(-4000)}`);
  }
}

/** Tests a generator; prints why not where its tools are missing. */
export function testGenerator(judge: Judge): void {
  const missing = judge.kinds.filter((kind) => openJudges(kind) === undefined);
  const skip = missing.length > 0 && `the tools of ${missing.join(' and ')} are not installed`;
  if (skip) process.stdout.write(`${judge.name}: skipped, ${skip}\n`);
  describe(`a client by ${judge.name}`, { skip }, () => {
    const [file, as] = judge.program;
    let project: ReturnType<typeof openProject>;
    let api: TestApi;
    let place: Place;

    before(async () => {
      api = await startTestApi();
      project = openProject('', { noImplicitOverride: false });
      const document = judge.isTyped ? join(project.folder, 'openapi.json') : documentFile;
      if (judge.isTyped) writeFileSync(document, await documentOfTypes(api));
      place = { folder: project.folder, document, tools: (kind) => openJudges(kind)! };
      copyFileSync(new URL(`programs/${file}`, import.meta.url), join(project.folder, as));
    });
    after(async () => {
      if (process.env.JUDGES_KEEP) console.log(project.folder);
      else project.remove();
      await api.close();
    });

    test('is generated and compiles', async () => {
      for (const command of judge.generate(place)) {
        assert.deepEqual((judge.omissions ?? omittedLines)(await execute(place.folder, command)), []);
      }
      if (!judge.compile) assert.equal(await project.check(), '');
      for (const command of judge.compile?.(place) ?? [bundle]) await execute(place.folder, command);
    });

    const claim = judge.isTyped
      ? 'creates and reads a resource of a type, and knows what was refused'
      : 'creates, searches, reads and lists, and knows the current version after a conflict';
    test(claim, async () => {
      const scope = judge.isTyped ? 'manage_test:typed' : 'manage_test:judge';
      const environment = { ADDRESS: await api.listen(), TOKEN: await api.token(scope) };
      const command = judge.run?.(place) ?? [process.execPath, 'program.mjs'];
      assert.deepEqual(
        JSON.parse(await execute(place.folder, command as Command, environment)),
        judge.isTyped ? expectedOfTypes : expected,
      );
    });
  });
}
