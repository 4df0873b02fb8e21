import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { NIGHT, WITHOUT } from './test/endurance.js';

const JOURNEYS = ['cli', 'ingest', 'journeys', 'service', 'sql', 'store'];
const PACKAGE = ['docs', 'package'];

/** Folders that only the night runs. */
const ENDURING = ['attack', 'batch', 'chaos', 'night', 'notebooks-tslab', 'scale'];

/** Files of the other folders that only the night runs. */
const NIGHTLY = NIGHT ? [] : ['**/*.night.test.ts'];

const testsIn = (folders: readonly string[]): string[] =>
  folders.map((folder) => `test/${folder}/**/*.test.ts`);

/** Tests whose programs this machine lacks. */
const UNABLE = process.env[WITHOUT]?.split(' ').filter(Boolean) ?? [];

const BUILT = 'test/built.ts';

/** What tests of the sources need: the file of regions, and copied stores. */
const SOURCES = ['test/regions.ts', 'test/store-templates.ts'];

/** Sets up the workers of the gate. */
const LEAN = NIGHT ? [] : ['test/lean-worker.ts'];
const SHARED = ['test/shared-worker.ts', ...LEAN];

function project(
  name: string,
  include: string[],
  globalSetup: string[],
  settings: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration {
  const exclude = ['**/node_modules/**', ...NIGHTLY, ...UNABLE, ...(settings.exclude ?? [])];
  return { extends: true, test: { ...settings, name, include, exclude, globalSetup } };
}

/** The folder of a test decides its project. The night runs more folders, and all cases of long tests. */
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
      project('rooms', ['test/**/*.test.ts'], SOURCES, {
        setupFiles: SHARED,
        exclude: testsIn([...JOURNEYS, ...PACKAGE, ...ENDURING, 'browser', 'clickhouse']),
      }),
      project('journeys', testsIn(JOURNEYS), [BUILT, ...SOURCES], { setupFiles: SHARED }),
      project('page', testsIn([NIGHT ? 'browser' : 'browser/gate']), [BUILT, 'test/browser/setup.ts'], {
        retry: NIGHT ? 0 : 1,
      }),
      project('package', testsIn(NIGHT ? [...PACKAGE, ...ENDURING] : PACKAGE), [BUILT, ...SOURCES], {
        setupFiles: LEAN,
      }),
      project(
        'cluster',
        [NIGHT ? 'test/clickhouse/**/*.test.ts' : 'test/clickhouse/conformance.test.ts'],
        ['test/regions.ts', 'test/clickhouse/setup.ts'],
        { setupFiles: SHARED },
      ),
    ],
  },
});
