/** Loaded before every test file: properties that name no seed of their own are tried with the seed of the run. */
import fc from 'fast-check';
import { testSeed } from './seed.ts';

fc.configureGlobal({ seed: testSeed });
