import { readFileSync } from 'node:fs';
import { UsageError } from './command.ts';

/** The id and secret of `--client`, with a colon between them: as given, or from a JSON file with both. */
export function credentialsOf(client: string): string {
  return client.includes(':') ? client : readClient(client);
}

function readClient(file: string): string {
  let found: Readonly<Record<string, unknown>> | null;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--client ${file}: ${(error as Error).message}`);
  }
  // The API names them id and secret in the client that it creates.
  const [id, secret] = [found?.clientId ?? found?.id, found?.clientSecret ?? found?.secret];
  if (typeof id !== 'string' || typeof secret !== 'string') {
    throw new UsageError(`--client ${file}: expected a JSON object with clientId and clientSecret`);
  }
  return `${id}:${secret}`;
}
