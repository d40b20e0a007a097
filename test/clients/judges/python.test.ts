import { join } from 'node:path';
import { documentFile } from '../generate.ts';
import { importAll, python, testGenerator } from './judge.ts';

testGenerator({
  name: 'openapi-python-client',
  kinds: ['python'],
  program: ['openapi_python_client.py', 'program.py'],
  generate: (at) => [
    [
      join(at.tools('python'), 'bin/openapi-python-client'),
      ...['generate', '--path', documentFile, '--meta', 'none', '--output-path', 'generated_client'],
    ],
  ],
  // It generates nothing for images, CSV and responses in a form, whatever a document says.
  omissions: (output) =>
    output
      .split('WARNING ')
      .slice(1)
      .filter((part) => !/Unsupported content[ _]type/.test(part)),
  compile: (at) => [[python(at), ...importAll('.', 'generated_client')]],
  run: (at) => [python(at), 'program.py'],
});
