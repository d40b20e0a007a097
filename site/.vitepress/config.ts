import { posix } from 'node:path';
import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';
import { guides, reference, title } from '../navigation.ts';

const description =
  'A self-hosted HTTP/JSON API that keeps versioned, multi-tenant JSON resources safely: patch, update actions, predicates, search, images, OAuth scopes per project.';

/** What markdown-it calls a token; only what is used here. */
interface Token {
  type: string;
  content: string;
  hidden?: boolean;
  children: Token[] | null;
  attrGet(name: string): string | null;
}

/** Links out of docs lead to files of the repository, which are not on the site: only their text stays. */
function withoutLinksOut(page: string, tokens: Token[]): void {
  for (const { children } of tokens) {
    let isOut = false;
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const target = token.attrGet('href') ?? '';
        const isRelative = !/^([a-z]+:|#|\/)/.test(target);
        isOut = isRelative && posix.join(posix.dirname(page), target).startsWith('..');
      }
      if (!isOut) continue;
      const isEnd = token.type === 'link_close';
      if (token.type === 'link_open' || isEnd) Object.assign(token, { type: 'text', content: '' });
      if (isEnd) isOut = false;
    }
  }
}

export default defineConfig({
  title,
  description,
  lang: 'en',
  // A copy of docs, beside the packages of the site.
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  cleanUrls: false,
  lastUpdated: false,
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      markdown.core.ruler.push('links-out', (state: { tokens: Token[]; env: { relativePath?: string } }) => {
        withoutLinksOut(state.env.relativePath ?? '', state.tokens);
      });
    },
  },
  vite: {
    plugins: [llmstxt({ ignoreFiles: ['decisions/*'], description })],
    // Its chunks are loaded one by one as pages are opened.
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: 'deep',
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'Interface', link: '/interface' },
      { text: 'Operating', link: '/operating' },
    ],
    sidebar: [
      { text: 'Guides', items: guides },
      { text: 'Reference', items: reference },
    ],
  },
});
