import { spawnSync } from 'node:child_process';
import { prepareChromium } from './browser/chromium.js';
import { prepareClickHouse } from './clickhouse/prepare.js';
import { installOwnPackages } from './install/own-packages.js';
import { prepareShells } from './install/shells.js';
import { prepareNotebooks } from './notebooks/prepare.js';

/** Installs the programs of a project. Returns the reason when this machine cannot run it, or null. */
type Prepare = () => string | null | Promise<string | null>;

const nothing: Prepare = () => null;
const prepareKernels: Prepare = () => prepareNotebooks() ?? prepareNotebooks('test/notebooks-tslab');

/** The projects of `vitest.config.ts` that every change must pass. */
const GATE: Readonly<Record<string, Prepare>> = {
  rooms: nothing,
  journeys: prepareShells,
  page: prepareChromium,
  docs: nothing,
  package: () => installOwnPackages('test/node-versions'),
  notebook: prepareKernels,
  conformance: prepareClickHouse,
};

/** The projects that take longer, which a release must pass too. */
const NIGHT: Readonly<Record<string, Prepare>> = {
  views: prepareChromium,
  faults: nothing,
  chaos: nothing,
  cluster: prepareClickHouse,
  notebooks: prepareKernels,
  layouts: nothing,
  batch: nothing,
  danfo: () => installOwnPackages('test/danfo'),
  vega5: () => installOwnPackages('test/vega5'),
  site: () => installOwnPackages('docs/site'),
};

const wanted = process.argv.slice(2);
const projects = wanted.includes('--night') ? NIGHT : GATE;
const runnable: string[] = [];
const reasons: string[] = [];
for (const [name, prepare] of Object.entries(projects)) {
  const reason = await prepare();
  if (reason === null) runnable.push(`--project=${name}`);
  else reasons.push(`${process.env.CI === undefined ? 'skipped' : 'failed'}: ${name}: ${reason}`);
}
const { status } = spawnSync('npx', ['vitest', 'run', ...runnable], { stdio: 'inherit' });
for (const reason of reasons) console.error(reason);
process.exitCode = reasons.length > 0 && process.env.CI !== undefined ? 1 : (status ?? 1);
