import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

// A test that builds the page has another environment, and the page would be larger in it.
process.env.NODE_ENV = 'production';

/**
 * What loads together is one file, with all that it imports and no part of a higher priority has: sixty files took a browser
 * longer than their bytes. First what is seen, then what every view asks by, then charts.
 */
const PARTS = [
  { name: 'shell', tags: ['$initial' as const], priority: 5 },
  // Of Arrow, what reads and writes files, and no table needs.
  {
    name: 'arrow-files',
    test: /apache-arrow.(fb.(?!precision|\w+-(unit|mode|version))|io|ipc|visitor.\w+assembler)|flatbuffers|src.frame.formats.(arrow|csv)/,
    includeDependenciesRecursively: false,
    priority: 4,
  },
  {
    name: 'client',
    test: /src.(explorer.state.client|saved.get-df|charts.(frame-lines|transform-frame)).ts/,
    priority: 3,
  },
  {
    name: 'drawing',
    test: /src.(explorer.chart.drawing|charts.view-chart).ts|node_modules.vega(-lite|-interpreter)?\//,
    priority: 1,
  },
];

/** Parts that the browser fetches beside the shell, after it, rather than when the scripts before them have run. */
const HINTED = ['rolldown-runtime', 'client'];

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

/**
 * Asks Chromium to compile the functions of the large parts next to their arrival, in other threads: compiled one by one as they
 * are first called, they take a sixth of the time of scripts until the first chart. Other browsers read a comment.
 */
const eager: Plugin = {
  name: 'eager',
  generateBundle: {
    order: 'post',
    handler: (_, bundle) => {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && (file.isEntry || PARTS.some(({ name }) => name === file.name)))
          file.code = `//# allFunctionsCalledOnLoad\n${file.code}`;
    },
  },
};

/** Compresses the parts once: compressing them for each visitor took a third of the time to the first chart. */
const compressed: Plugin = {
  name: 'compressed',
  writeBundle({ dir = '' }, bundle) {
    for (const [name, file] of Object.entries(bundle))
      if (name.startsWith('assets/'))
        writeFileSync(join(dir, `${name}.gz`), gzipSync(file.type === 'chunk' ? file.code : file.source));
  },
};

/** Compresses workbooks in the page itself, because its policy forbids the workers in which write-excel-file compresses. */
const plainZip: Plugin = {
  name: 'plain-zip',
  load: (id) =>
    id.endsWith('/write-excel-file/modules/zip/zipToArrayBuffer.js')
      ? "import { zipSync } from 'fflate'; export default async (files) => zipSync(files).buffer;"
      : null,
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
  'vega-scale': /d3-(scale-chromatic|interpolate)/,
  'vega-transforms': /vega-statistics/,
  'vega-view': /d3-timer/,
};

/**
 * Functions, classes and rules for boxes, selections, gradients, paths and marks that no chart of the page has, with all that
 * they alone use. One that is called after all says so.
 */
const UNUSED: Readonly<Record<string, RegExp>> = {
  'vega-lite': wholly(
    'normalize(BoxPlot|ErrorBar|ErrorBand)|extractTransformsFromEncoding',
    'interval|point[$]1|project|nearest|toggle|clear|translate|zoom|(scale|input|legend)Bindings',
    'parseSelection(Predicate|Extent)|(color|fontSize)SignalConfig|arc|image|trail',
    'getGroupsForStackedBarWithCornerRadius|rectBinPosition|getOffsetRange',
    '(Density|Extent|Flatten|Fold|Loess|Pivot|Quantile|Regression|JoinAggregate|Sample|Window)TransformNode',
    '(Graticule|Sequence)Node',
  ),
  'vega-event-selector': wholly('eventSelector'),
  'vega-parser': wholly('legendGradient|parseTrigger'),
  'vega-scenegraph': wholly(
    '(SVG|Hybrid)Handler|(SVG|Hybrid)Renderer|pathRender|parse|arcShape|trailShape|gradient|updateGradient|intersectMark|sceneFromJSON',
  ),
  'vega-transforms': wholly(
    'Bin|CountPattern|Cross|Density|DotBin|Flatten|Fold|Generate|Impute|KDE|Pivot|Project|Quantile|Sample|TimeUnit|Window',
  ),
  'vega-encode': wholly('LinkPath|Pie'),
  'vega-scale': wholly('continuous|discrete'),
  'vega-view': wholly('bind|generate'),
  'd3-color': wholly('[Ll]ab|[Hh]cl|[Cc]ubehelix'),
  'd3-scale': wholly('symlog|pow|sqrt|radial|identity|quanti[lz]e|(sequential|diverging)\\w*'),
  'd3-shape': wholly(
    'natural|Natural|([Bb]asis|[Bb]undle|[Cc]ardinal|[Cc]atmullRom)\\w*',
    '([Ll]inearClosed|[Mm]onotone)\\w*',
  ),
};

function wholly(...names: readonly string[]): RegExp {
  return new RegExp(`^(${names.join('|')})$`);
}

const leftOut = (name: string) =>
  `{ throw new Error('the page is built without ${name}, see vite.config.ts'); }`;

/** Leaves out what nothing of the page uses. */
const unused: Plugin = {
  name: 'unused',
  transform(code, id) {
    const unused = UNUSED[/[/]node_modules[/]((?:vega|d3)-[\w-]+)[/](?:build|dist)[/]/.exec(id)?.[1] ?? ''];
    if (unused === undefined) return null;
    let lean = code;
    const cut = (part: { start: number; end: number }, by: string) => {
      lean = lean.slice(0, part.start) + by + lean.slice(part.end);
    };
    for (const node of this.parse(code).body.reverse()) {
      // Classes of the old kind are made of statements.
      const [, made = ''] =
        /^(?:(?:async )?function |class |(?:const|var) |inherits\(|define\(|(?=\w+[.](?:Definition|prototype)))([\w$]+)/.exec(
          code.slice(node.start, node.end),
        ) ?? [];
      if (!unused.test(made)) continue;
      if (node.type === 'ExpressionStatement') cut(node, '');
      if (node.type === 'FunctionDeclaration') cut(node.body!, leftOut(made));
      if (node.type === 'ClassDeclaration') cut(node.body, `{ constructor() ${leftOut(made)} }`);
      if (node.type === 'VariableDeclaration') cut(node.declarations[0]!.init!, '{}');
    }
    if (lean === code) throw new Error(`${id} has none of ${unused} now`);
    return { code: lean, map: null };
  },
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

/** The methods of frames that the page calls, and those that these need. */
const FRAME_METHODS = [
  'filter',
  'resample',
  'yearOverYear',
  'rollingMean',
  'selectSeries',
  'withProvenance',
  'toRows',
];

/** Leaves out the methods of frames that the page does not call, with the verbs and formats that they alone use. */
const leanFrame: Plugin = {
  name: 'lean-frame',
  // Its 5 MB of WebAssembly would become a file of the page, although nothing imports it.
  load: (id) => (id.includes('/node_modules/parquet-wasm/') ? 'export {};' : null),
  transform(code, id) {
    if (!id.endsWith('/src/frame/frame.ts')) return null;
    const kept = new Set(FRAME_METHODS);
    const cut: { start: number; end: number }[] = [];
    for (const node of this.parse(code).body) {
      const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      if (declared?.type !== 'ClassDeclaration') continue;
      for (const member of declared.body.body) {
        if (member.type !== 'MethodDefinition' || member.kind === 'constructor') continue;
        const name = member.key.type === 'Identifier' ? member.key.name : '';
        if (!kept.delete(name)) cut.push(member);
      }
    }
    if (kept.size > 0) throw new Error(`frames have no ${[...kept].join(', ')} now`);
    let lean = code;
    for (const { start, end } of cut.reverse()) lean = lean.slice(0, start) + lean.slice(end);
    return { code: lean, map: null };
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
  // Before the first chart, the page may load 320 kB, compressed. The part that draws charts has 177 kB: without `unused` it
  // has 214 kB, and without `leanVega` 278 kB. The client has 90 kB: without `leanFrame` it has 114 kB.
  plugins: [hints, eager, leanFrame, leanVega, plainZip, unused, compressed],
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
});
