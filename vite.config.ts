import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

// A test that builds the page has another environment, and the page would be larger in it.
process.env.NODE_ENV = 'production';

/** What every view loads, in parts: the client with its schemas, and the frames of its answers. */
const LOADED_BY_ALL = [
  'src/explorer/state/client.ts',
  'src/charts/frame-lines.ts',
  'src/contract/endpoints.ts',
  'src/contract/reading.ts',
];

/** Has the browser fetch these parts beside the shell, after it, rather than when the scripts before them have run. */
const hints: Plugin = {
  name: 'hints',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk');
      const files = new Set<string>();
      const add = (file: string): void => {
        if (files.has(file)) return;
        files.add(file);
        for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? []) add(imported);
      };
      for (const source of LOADED_BY_ALL) {
        const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${source}`)));
        if (chunk === undefined)
          throw new Error(`the page has no part with ${source}, of which a hint is to be given`);
        add(chunk.fileName);
      }
      return [...files]
        .filter((file) => !html.includes(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `./${file}` },
          injectTo: 'head' as const,
        }));
    },
  },
};

/** Transforms of Vega that no chart of the page has: a sixth of its bytes. */
const UNUSED =
  /import \* as (\w+) from 'vega-(?:crossfilter|force|hierarchy|label|regression|voronoi|wordcloud)';/g;

/** Leaves them out where Vega collects its transforms. */
const leanVega: Plugin = {
  name: 'lean-vega',
  transform(code, id) {
    if (!id.endsWith('/vega/build/vega.module.js')) return null;
    const unused = [...code.matchAll(UNUSED)].map(([, name]) => name);
    const extended = /extend\(transforms, ([\w, ]+)\)/;
    const all = extended.exec(code)?.[1]?.split(', ') ?? [];
    if (unused.length !== 7 || all.length <= 7)
      throw new Error('Vega collects its transforms in another way now');
    const used = all.filter((name) => !unused.includes(name));
    return {
      code: code.replaceAll(UNUSED, '').replace(extended, `extend(transforms, ${used.join(', ')})`),
      map: null,
    };
  },
};

/** The page that `cropframe serve` shows: `src/explorer` → `dist/explorer`. */
export default defineConfig({
  root: fileURLToPath(new URL('src/explorer', import.meta.url)),
  // Every address in the page is relative, so that it works under a path prefix.
  base: './',
  logLevel: 'warn',
  plugins: [hints, leanVega],
  oxc: { jsx: { importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('dist/explorer', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The polyfill and data: URLs of scripts would need an exception from the page's policy.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The texts of the licences of what is bundled, which ask to go along.
    license: { fileName: 'licenses.md' },
    // Lazy parts, such as charts, are large; a test holds the sizes.
    chunkSizeWarningLimit: 3000,
  },
  // The service knows scripts of workers by this name: they have a policy of their own.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[name]-[hash].js' } } },
});
