#!/usr/bin/env node
import { run } from './run.js';

// Without a command it serves, so that a first look needs no more than `npx generic-resource-service`.
if (process.argv.length === 2) process.argv.push('serve');
await run();
