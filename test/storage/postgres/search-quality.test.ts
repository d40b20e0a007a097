import { after, before } from 'node:test';
import { searchQualitySuite } from '../search-quality.suite.ts';
import { createDocumentWriter } from '../write-documents.ts';
import { openTestStore, startTestPostgres, type TestPostgres } from './start-test-postgres.ts';

let postgres: TestPostgres;
before(async () => {
  postgres = await startTestPostgres();
});
after(() => postgres.close());

searchQualitySuite({
  ...{ name: 'PostgreSQL', productsPerLanguage: 60, oneOf: 12 },
  async open() {
    const { resources, close } = await openTestStore(postgres);
    return {
      write: createDocumentWriter({ resources }),
      search: async (query) => (await resources.search(query)).results,
      close,
    };
  },
});
