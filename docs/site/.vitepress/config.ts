import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { listSections } from '../pages.js';

const ROOT = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));

const sections = listSections(fileURLToPath(ROOT)).map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ title, path }) => ({ text: title, link: `/${path.replace(/\.md$/, '')}` })),
}));

const ENTRIES = ['', 'agronomy', 'charts', 'embedded', 'service', 'sql'];
const api = ENTRIES.map((name) => {
  const entry = name === '' ? 'cropframe' : `cropframe/${name}`;
  return { text: entry, link: `/api/${entry}/` };
});

/** The anchor of a heading, as GitHub makes it: links of the pages lead there in both places. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

export default defineConfig({
  title: 'cropframe',
  description: 'Time series of agriculture, served by yourself, and data frames on top of them',
  lang: 'en',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  base: process.env.DOCS_BASE ?? '/',
  appearance: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  lastUpdated: false,
  metaChunk: true,
  // Generics and braces in prose are text, not components.
  markdown: {
    attrs: { disable: true },
    anchor: { slugify },
    theme: { light: 'github-light', dark: 'github-dark' },
  },
  themeConfig: {
    siteTitle: `cropframe ${version}`,
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'From Python', link: '/python' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [...sections, { text: 'API', items: api }],
  },
});
