import { onEmbedded } from '../start-test-api.ts';
import { waysInSuite } from './ways-in.suite.ts';

waysInSuite(onEmbedded);
