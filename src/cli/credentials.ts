import { readFileSync } from 'node:fs';
import { UsageError } from './command.ts';

/** The id and secret of `--client`, with a colon between them: as given, or from a JSON file with both. */
export function credentialsOf(client: string): string {
  return client.includes(':') ? client : readClient(client);
}

function readClient(file: string): string {
  let found: { readonly clientId?: unknown; readonly clientSecret?: unknown };
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--client ${file}: ${(error as Error).message}`);
  }
  if (typeof found?.clientId !== 'string' || typeof found.clientSecret !== 'string') {
    throw new UsageError(`--client ${file}: a JSON object with clientId and clientSecret expected`);
  }
  return `${found.clientId}:${found.clientSecret}`;
}
