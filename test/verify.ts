import { prepareChromium } from './browser/chromium.js';
import { prepareShells } from './cli/shells.js';
import { prepareClickHouse } from './clickhouse/prepare.js';
import { ENDURANCE } from './endurance.js';
import { prepareNotebooks } from './notebooks/prepare.js';
import { installOwnPackages } from './verify/own-packages.js';
import { runStages } from './verify/schedule.js';
import { repeatAlone } from './verify/second-run.js';
import { packageCommand, type Stage } from './verify/stage.js';
import { describeCounts, describeResults, totalCounts } from './verify/summary.js';

/** Everything that a change must pass. `npm run verify -- lint types` runs the named stages alone. */
const STAGES: readonly Stage[] = [
  { name: 'lint', title: 'Lint', commands: [packageCommand('biome', 'check', '.')] },
  { name: 'types', title: 'Types', commands: [packageCommand('tsc', '-p', 'tsconfig.json', '--noEmit')] },
  {
    name: 'build',
    title: 'Build, and the types of what uses it',
    commands: [['npm', 'run', '--silent', 'build'], packageCommand('tsc', '-p', 'notebooks', '--noEmit')],
  },
  {
    name: 'danfo',
    title: 'Frames as real Danfo data frames',
    prepare: () => installOwnPackages('test/danfo'),
    vitest: ['test/frame/formats/danfo.test.ts', 'test/frame/formats/danfo-types.test.ts'],
  },
  {
    name: 'vega5',
    title: 'Charts in the Vega-Lite of notebooks',
    prepare: () => installOwnPackages('test/vega5'),
    vitest: ['test/charts/vega-lite-5.test.ts'],
  },
  { name: 'unit', title: 'Tests of each room', vitest: ['--project', 'rooms'] },
  {
    name: 'whole',
    title: 'Tests of client, service and store together, and of the command',
    prepare: prepareShells,
    vitest: ['--project', 'whole'],
  },
  {
    name: 'browser',
    title: 'The page, the entry point for browsers, and pages of other sites, in Chromium',
    needs: ['build'],
    prepare: prepareChromium,
    vitest: ['--config', 'test/browser/vitest.config.ts'],
  },
  {
    name: 'faults',
    title: 'Thousands of random faults and requests',
    env: { [ENDURANCE]: 'true' },
    vitest: [
      'test/contract/series-stream/decoder.test.ts',
      'test/journeys/client-faults.test.ts',
      'test/journeys/client-socket.test.ts',
      'test/service/random-requests.test.ts',
    ],
  },
  {
    name: 'chaos',
    title: 'A minute of kills, faults, full disks and wrong clocks',
    needs: ['build'],
    commands: [[process.execPath, '--import', 'tsx', 'test/chaos/run.ts', '--minutes', '1']],
  },
  {
    name: 'batch',
    title: 'Batch scripts, run as a user does, and killed',
    needs: ['build'],
    vitest: ['--config', 'test/batch/vitest.config.ts'],
  },
  {
    name: 'clickhouse',
    title: 'The store on three ClickHouse servers',
    needs: ['build'],
    prepare: prepareClickHouse,
    vitest: ['--config', 'test/clickhouse/vitest.config.ts'],
  },
  {
    name: 'notebooks',
    title: 'Notebooks under Deno’s Jupyter kernel',
    needs: ['build'],
    prepare: () => prepareNotebooks(),
    vitest: ['--config', 'test/notebooks/vitest.config.ts'],
  },
  {
    name: 'tslab',
    title: 'Frames in tslab’s Jupyter kernel',
    needs: ['build'],
    prepare: () => prepareNotebooks('test/notebooks-tslab'),
    vitest: ['--config', 'test/notebooks-tslab/vitest.config.ts'],
  },
  {
    name: 'docs',
    title: 'Recipes, code and links of the documentation, and its site',
    needs: ['build'],
    prepare: () => installOwnPackages('docs/site'),
    vitest: ['--config', 'test/docs/vitest.config.ts'],
  },
  {
    name: 'package',
    title: 'The package, installed into an empty project',
    needs: ['build'],
    prepare: () => installOwnPackages('test/newest-node'),
    commands: [[process.execPath, '--import', 'tsx', 'test/verify/package-check.ts']],
  },
];

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !STAGES.some((stage) => stage.name === name));
if (unknown.length > 0) {
  console.error(`no stage ${unknown.join(', ')}; there are: ${STAGES.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

const stages = STAGES.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const results = await repeatAlone(stages, await runStages(stages));
const total = totalCounts(results);
console.log(`\n━━ Summary ${'━'.repeat(69)}\n${describeResults(results)}\n\n${describeCounts(total)}`);
process.exitCode = total.failed > 0 ? 1 : 0;
