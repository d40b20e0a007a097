import { integerOf } from '../../../contract/check.ts';
import { defineAction, type VersionTools } from './define.ts';

export default defineAction({
  name: 'restore',
  summary:
    "Makes the content of an earlier version that of the next one: the client's own fields of both projections, and the key.",
  changes: 'resource',
  fields: {
    version: { type: 'integer', description: 'A stored version, or the current one.', example: 3 },
  },
  apply: (_working, { version }, tools) => (tools as VersionTools).earlier(integerOf(version)),
});
