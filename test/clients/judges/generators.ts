import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Command, importAll, type Judge, type Place, python, testGenerator } from './judge.ts';

/**
 * `npm run judges`: generators make a client of the OpenAPI document. It compiles, and a program
 * that uses it runs against the service. `JUDGES=Java,orval` chooses some by parts of their names.
 */

const generatorJar = (folder: string) => join(folder, globSync('openapi-generator-cli-*.jar', { cwd: folder })[0]!);

function openApiGenerator(at: Place, generator: string, properties: string): Command {
  const common = ['-i', at.document, '-o', join(at.folder, 'generated'), '--additional-properties', properties];
  return ['java', '-jar', generatorJar(at.tools('java')), 'generate', '-g', generator, ...common];
}

function java(library: string, program: string, ...options: readonly string[]): Judge {
  const classPath = (at: Place) => {
    // The generator has libraries of its own in it.
    const jars = globSync('*.jar', { cwd: at.tools('java') });
    return [
      'classes',
      ...jars.filter((jar) => !jar.startsWith('openapi-')).map((jar) => join(at.tools('java'), jar)),
    ].join(delimiter);
  };
  return {
    name: `OpenAPI Generator for Java (${library})`,
    kinds: ['java'],
    program: [program, 'Program.java'],
    generate: (at) => [
      [...openApiGenerator(at, 'java', `library=${library},useSingleRequestParameter=true`), ...options],
    ],
    compile: (at) => {
      const sources = globSync('generated/src/main/java/**/*.java', { cwd: at.folder });
      writeFileSync(join(at.folder, 'sources'), [...sources, 'Program.java'].join('\n'));
      return [['javac', '-nowarn', '-proc:none', '-cp', classPath(at), '-d', 'classes', '@sources']];
    },
    run: (at) => ['java', '-cp', classPath(at), 'Program'],
  };
}

const goFiles = fileURLToPath(new URL('../../../tools/judges/go', import.meta.url));
const goBuild: readonly Command[] = [
  ['cp', join(goFiles, 'go.mod'), join(goFiles, 'go.sum'), '.'],
  ['go', 'build', '-o', 'program', '.'],
];

const judges: readonly Judge[] = [
  java('okhttp-gson', 'OkHttpGson.java'),
  // Java has a final method of this name, which the class of all parameters would override.
  java('native', 'Native.java', '--parameter-name-mappings', 'wait=waitSeconds'),
  {
    name: 'OpenAPI Generator for Python',
    kinds: ['java', 'python'],
    program: ['openapi_generator.py', 'program.py'],
    generate: (at) => [openApiGenerator(at, 'python', 'packageName=generated_client')],
    compile: (at) => [[python(at), ...importAll('generated', 'generated_client')]],
    run: (at) => ['env', 'PYTHONPATH=generated', python(at), 'program.py'],
  },
  {
    name: 'OpenAPI Generator for Go',
    kinds: ['java', 'go'],
    program: ['openapi_generator.go', 'main.go'],
    generate: (at) => [
      openApiGenerator(at, 'go', 'packageName=generated,withGoMod=false'),
      // Its tests are to be filled in, and import a module of another name.
      ['rm', '-r', 'generated/test'],
    ],
    compile: () => goBuild,
    run: () => ['./program'],
  },
  {
    name: 'OpenAPI Generator for TypeScript (fetch)',
    kinds: ['java'],
    program: ['typescript_fetch.ts', 'program.ts'],
    generate: (at) => [openApiGenerator(at, 'typescript-fetch', 'importFileExtension=.ts,supportsES6=true')],
  },
  {
    name: 'oapi-codegen',
    kinds: ['go'],
    program: ['oapi_codegen.go', 'main.go'],
    generate: (at) => {
      mkdirSync(join(at.folder, 'generated'));
      const options = ['-generate', 'types,client', '-package', 'generated', '-o', 'generated/api.go'];
      return [[join(at.tools('go'), 'oapi-codegen'), ...options, at.document]];
    },
    compile: () => goBuild,
    run: () => ['./program'],
  },
  {
    name: 'orval',
    kinds: ['node'],
    program: ['orval.ts', 'program.ts'],
    generate: (at) => [
      [
        join(at.tools('node'), 'node_modules/.bin/orval'),
        '--input',
        at.document,
        '--output',
        'api.ts',
        '--client',
        'fetch',
      ],
    ],
  },
  {
    name: 'swagger-typescript-api',
    kinds: ['node'],
    program: ['swagger_typescript_api.ts', 'program.ts'],
    generate: (at) => [
      [
        join(at.tools('node'), 'node_modules/.bin/swagger-typescript-api'),
        ...['generate', '-p', at.document, '-o', '.', '-n', 'api.ts'],
      ],
    ],
  },
];

/** The same generators for the document of a project with types. */
const typed = ['OpenAPI Generator for Java (okhttp-gson)', 'OpenAPI Generator for Python', 'oapi-codegen'].map(
  (name): Judge => {
    const judge = judges.find((each) => each.name === name)!;
    const [file, as] = judge.program;
    return { ...judge, name: `${name}, for types`, isTyped: true, program: [`typed/${file}`, as] };
  },
);

const chosen = process.env.JUDGES?.split(',') ?? [''];
for (const judge of [...judges, ...typed]) if (chosen.some((part) => judge.name.includes(part))) testGenerator(judge);
