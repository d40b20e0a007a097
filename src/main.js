#!/usr/bin/env -S node --max-semi-space-size=8 --heap-growing-percent=100
// In JavaScript: to strip the types of the first file, Node would load a compiler at every start.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Stripped and compiled once and reused by every later start: saves a third of the time to the first response.
const cache = fileURLToPath(new URL('../node_modules/.cache/grs', import.meta.url));
enableCompileCache(cache);

// All files (database, secrets) are readable by their owner alone.
process.umask(0o077);

// A reader that closes the pipe (`grs config | head`) is not an error.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

await import('./own-modules.ts');
const { offerCompileCache } = await import('./config/environment.ts');
offerCompileCache(cache);
const { runCommandLine } = await import('./cli/index.ts');
process.exitCode = await runCommandLine(process.argv.slice(2));
