import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { ENDURANCE } from './test/endurance.js';

/** Tests that are projects by themselves. */
const JOURNEYS = ['test/journeys/**/*.test.ts', 'test/cli/**/*.test.ts'];
const PAGE = [
  'test/browser/page/accessible.test.ts',
  'test/browser/page/find-and-draw.test.ts',
  'test/browser/page/journey.test.ts',
  'test/browser/page/links.test.ts',
  'test/browser/page/login.test.ts',
  'test/browser/page/prefix.test.ts',
  'test/browser/other-sites.test.ts',
];
/** Those of which the gate tries a part, and the night all. */
const EVERYWHERE = ['test/browser/page/accessible.test.ts', 'test/browser/page/prefix.test.ts'];
const DOCS = ['test/docs/**/*.test.ts'];
const PACKAGE = ['test/package/*.test.ts', 'test/package.test.ts', 'test/browser.test.ts'];
const CLUSTER = ['test/clickhouse/**/*.test.ts'];
const CONFORMANCE = ['test/clickhouse/conformance.test.ts'];
const NOTEBOOKS = ['test/notebooks/**/*.test.ts', 'test/notebooks-tslab/**/*.test.ts'];
const ONE_NOTEBOOK = ['test/notebooks/kernels.test.ts', 'test/notebooks/types.test.ts'];

/** The test files of a folder, but for those of the packages that are installed in it. */
function testsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? testsIn(path) : path.endsWith('.test.ts') ? [path] : [];
    });
}

const OF_ROOMS = testsIn('test')
  .filter((path) => !/^test[/](browser|chaos|attack|clickhouse)/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** Tests of rooms whose text has this. */
const testsWith = (text: RegExp): string[] =>
  OF_ROOMS.filter((test) => text.test(test.text)).map(({ path }) => path);

/** Tests of rooms that open a store, start an engine or start programs: the gate runs them with the journeys. */
const STORES = testsWith(
  /DuckDBInstance[.]create|openStore|openEmbedded|describeStore|[/](stores|collect|demo-service|serving-store|token-service|wire|duckdb-files)[.]js|child_process/,
);

/** Tests that try a part of their cases in the gate, and all of them at night. */
const FAULTS = testsWith(/endurance[.]js|conformance[.]js/);

/** Tests that only the night runs. */
const CRASH = ['test/ingest/crash.test.ts'];
const VIEWS = ['test/browser/**/*.test.ts'];
const LAYOUTS = ['test/store/duckdb/divided-points.test.ts', 'test/store/duckdb/layout.test.ts'];
const SITE = ['test/docs/site.test.ts'];
const BATCH = ['test/batch/*.test.ts'];
const DANFO = ['test/frame/formats/danfo.test.ts', 'test/frame/formats/danfo-types.test.ts'];
const GOLDEN = ['test/frame/formats/golden.test.ts'];
const VEGA_5 = ['test/charts/vega-lite-5.test.ts'];
const CHAOS = ['test/chaos/*.test.ts'];
const ATTACK = ['test/attack/*.test.ts'];
const SCALE = ['test/scale/*.test.ts'];

/** All but those of rooms and journeys. */
const OTHERS = [
  ...[VIEWS, DOCS, PACKAGE, CLUSTER, NOTEBOOKS, CRASH, LAYOUTS, BATCH, DANFO, GOLDEN, VEGA_5, CHAOS],
  ...[ATTACK, SCALE],
].flat();

const MODULES = '**/node_modules/**';

/** What tests in this repository's own code need: the checks of shared workers, copied stores. */
const OF_SOURCES = {
  setupFiles: ['test/shared-worker.ts'],
  globalSetup: ['test/regions.ts', 'test/store-templates.ts'],
};

/** What those of the gate need. */
const QUICK = { ...OF_SOURCES, setupFiles: [...OF_SOURCES.setupFiles, 'test/lean-worker.ts'] };

/** What has random tests try thousands of cases. */
const MORE = { [ENDURANCE]: 'true' };

/** Tests that start the built package. */
const BUILT = 'test/built.ts';

function project(
  name: string,
  include: string[],
  settings: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  const exclude = [MODULES, ...(settings.exclude ?? [])];
  return { extends: true, test: { ...settings, name, include, exclude } };
}

/** Each project is a stage of `npm run verify` or of `npm run nightly`; `test/verify.ts` lists them. */
export default defineConfig({
  test: {
    // For a test that hangs. One of five seconds takes forty where other programs share two cores.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 20_000 } },
    // One more than cores: some wait for a browser, a server or npm while others compute. A project has no other
    // number than this one, whatever the command says.
    maxWorkers: availableParallelism() + 1,
    // Loading the modules, the engine and the region tree again takes longer than most files run.
    isolate: false,
    // Transforms each module once, until it changes: a fifth of the processor time of `npm test`.
    experimental: { fsModuleCache: true },
    projects: [
      project('rooms', ['test/**/*.test.ts'], {
        ...QUICK,
        exclude: [...JOURNEYS, ...STORES, ...OTHERS],
      }),
      project('journeys', [...JOURNEYS, ...STORES], {
        ...QUICK,
        globalSetup: [BUILT, ...OF_SOURCES.globalSetup],
        exclude: OTHERS,
      }),
      project('page', PAGE, { globalSetup: [BUILT, 'test/browser/setup.ts'], retry: 1 }),
      project('views', VIEWS, {
        globalSetup: [BUILT, 'test/browser/setup.ts'],
        exclude: PAGE.filter((path) => !EVERYWHERE.includes(path)),
        env: MORE,
      }),
      project('docs', DOCS, {
        ...OF_SOURCES,
        setupFiles: ['test/lean-worker.ts'],
        globalSetup: [BUILT, ...OF_SOURCES.globalSetup],
        exclude: SITE,
      }),
      project('package', PACKAGE, { ...OF_SOURCES, setupFiles: [], globalSetup: [BUILT] }),
      project('notebook', ONE_NOTEBOOK, { globalSetup: [BUILT] }),
      project('conformance', CONFORMANCE, {
        ...QUICK,
        globalSetup: ['test/regions.ts', 'test/clickhouse/one-node.ts'],
      }),
      project('cluster', CLUSTER, {
        ...OF_SOURCES,
        env: MORE,
        globalSetup: ['test/regions.ts', 'test/clickhouse/three-nodes.ts'],
      }),
      project('notebooks', NOTEBOOKS, { globalSetup: [BUILT], exclude: ONE_NOTEBOOK }),
      project('layouts', LAYOUTS, { ...OF_SOURCES, env: MORE }),
      project('batch', BATCH, { globalSetup: [BUILT] }),
      project('site', SITE, { globalSetup: [BUILT] }),
      project('danfo', DANFO, OF_SOURCES),
      project('golden', GOLDEN, OF_SOURCES),
      project('vega5', VEGA_5, OF_SOURCES),
      project('chaos', CHAOS, { globalSetup: [BUILT] }),
      project('attack', ATTACK, { globalSetup: [BUILT] }),
      project('scale', SCALE, { globalSetup: [BUILT] }),
      project('faults', FAULTS, {
        ...OF_SOURCES,
        env: MORE,
        globalSetup: [BUILT, ...OF_SOURCES.globalSetup],
      }),
    ],
  },
});
