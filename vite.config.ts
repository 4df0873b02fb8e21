import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

// A test that builds the page has another environment, and the page would be larger in it.
process.env.NODE_ENV = 'production';

/**
 * What loads together is one file, with all that it imports and no part of a higher priority has: sixty files took a browser
 * longer than their bytes. First what is seen, then what every view asks by, then charts. Schemas are a part apart, which
 * runs once their library is told to make no scripts.
 */
const PARTS = [
  { name: 'shell', tags: ['$initial' as const], priority: 5 },
  { name: 'zod', test: /node_modules.zod/, priority: 4 },
  { name: 'client', test: /src.(explorer.state.client|saved.get-df|charts.frame-lines).ts/, priority: 3 },
  { name: 'schemas', test: /src.contract.(endpoints|reading|shapes|requests.upkeep).ts/, priority: 2 },
  {
    name: 'drawing',
    test: /src.explorer.chart.drawing.ts|node_modules.vega(-lite|-interpreter)?\//,
    priority: 1,
  },
];

/** Parts that the browser fetches beside the shell, after it, rather than when the scripts before them have run. */
const HINTED = ['client', 'zod', 'schemas'];

const hints: Plugin = {
  name: 'hints',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) =>
      HINTED.map((part) => {
        const found = Object.values(bundle).find(({ name }) => name === part);
        if (found === undefined)
          throw new Error(`the page has no part ${part}, of which a hint is to be given`);
        const href = `./${found.fileName}`;
        const attrs = { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href };
        return { tag: 'link', attrs, injectTo: 'head' };
      }),
  },
};

/** What charts of the page need of `vega`; its own module has four times as much. */
const VEGA = `
import { transforms } from 'vega-dataflow';
import { aggregate, collect, compare, expression, extent, facet, field, filter, formula, joinaggregate, key, load, lookup,
  multiextent, multivalues, params, prefacet, proxy, relay, sequence, sieve, subflow, tupleindex, values } from 'vega-transforms';
import { bound, identifier, mark, overlap, render, viewlayout } from 'vega-view-transforms';
import { axisticks, datajoin, encode, legendentries, scale, sortitems, stack } from 'vega-encode';
Object.assign(transforms, { aggregate, collect, compare, expression, extent, facet, field, filter, formula, joinaggregate, key,
  load, lookup, multiextent, multivalues, params, prefacet, proxy, relay, sequence, sieve, subflow, tupleindex, values, bound, identifier,
  mark, overlap, render, viewlayout, axisticks, datajoin, encode, legendentries, scale, sortitems, stack });
export async function loadMaps() {
  const { geojson, geoshape, projection } = await import('vega-geo');
  Object.assign(transforms, { geojson, geoshape, projection });
}
export { changeset } from 'vega-dataflow';
export { loader } from 'vega-loader';
export { parse } from 'vega-parser';
export { Error, hasOwnProperty, isObject, isString, logger, stringValue } from 'vega-util';
export { View } from 'vega-view';
`;

/** Modules of which parts of Vega import much for functions, schemes and projections that no chart of the page has. */
const ABSENT: Readonly<Record<string, RegExp>> = {
  'vega-functions': /d3-(ease|geo)|vega-(selections|statistics)/,
  'vega-loader': /d3-dsv|topojson-client/,
  'vega-projection': /d3-geo-projection|d3-geo/,
  'vega-scale': /d3-scale-chromatic/,
};

/** Leaves out of Vega what no chart of the page has: a third of its bytes. */
const leanVega: Plugin = {
  name: 'lean-vega',
  transform(code, id) {
    if (id.endsWith('/vega/build/vega.module.js')) return { code: VEGA, map: null };
    const absent = ABSENT[/[/]node_modules[/](vega-\w+)[/]build[/]/.exec(id)?.[1] ?? ''];
    if (absent === undefined) return null;
    const lean = code.replace(/^import ([^;]+) from '([^']+)';/gm, (whole, names: string, source: string) => {
      if (!absent.test(source)) return whole;
      if (names.startsWith('*')) return `const ${names.slice(5)} = {};`;
      const kept: string[] = names.match(/geo(Path|Mercator|EqualEarth)\b/g) ?? [];
      const others = names
        .slice(1, -1)
        .split(',')
        .map((name) => name.trim().split(' as ').at(-1)!);
      const left = others.filter((name) => !kept.includes(name));
      return `${kept.length > 0 ? `import { ${kept} } from '${source}';` : ''} let ${left.map((name) => `${name} = ''`)};`;
    });
    if (lean === code) throw new Error(`${id} imports other modules now`);
    return { code: lean, map: null };
  },
};

/** Leaves out of zod the writing of JSON schemas: every function of it does nothing. */
const leanZod: Plugin = {
  name: 'lean-zod',
  transform(code, id) {
    if (!/[/]zod[/]v4[/]core[/](json-schema-processors|to-json-schema)[.]js$/.test(id)) return null;
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
    return { code: names.map((name) => `export const ${name} = () => undefined;`).join('\n'), map: null };
  },
};

/** The page that `cropframe serve` shows: `src/explorer` → `dist/explorer`. */
export default defineConfig({
  root: fileURLToPath(new URL('src/explorer', import.meta.url)),
  // Every address in the page is relative, so that it works under a path prefix.
  base: './',
  logLevel: 'warn',
  // Vega-Lite brings an older copy of them.
  resolve: { dedupe: ['vega-event-selector', 'vega-expression', 'vega-util'] },
  plugins: [hints, leanVega, leanZod],
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
    rolldownOptions: {
      output: { codeSplitting: { groups: PARTS } },
      // Modules of which nothing is used have nothing to do.
      treeshake: { moduleSideEffects: (id) => !/[/]src[/](?!contract[/]without-eval).*[.]tsx?$/.test(id) },
      checks: { ineffectiveDynamicImport: false, pluginTimings: false },
    },
  },
  // The service knows scripts of workers by this name: they have a policy of their own.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/worker-[name]-[hash].js' } } },
});
