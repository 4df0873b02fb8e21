import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { prepareChromium } from './browser/chromium.js';
import { prepareClickHouse } from './clickhouse/prepare.js';
import { prepareGoldenFiles } from './frame/formats/golden-files.js';
import { installOwnPackages } from './install/own-packages.js';
import { prepareShells } from './install/shells.js';
import { prepareNotebooks } from './notebooks/prepare.js';

/** Installs the programs of a project. Returns the reason when this machine cannot run it, or null. */
type Prepare = () => string | null | Promise<string | null>;

const nothing: Prepare = () => null;
const prepareKernels: Prepare = async () => {
  const [first, second] = await Promise.all([prepareNotebooks(), prepareNotebooks('test/notebooks-tslab')]);
  return first ?? second;
};

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
  attack: nothing,
  scale: nothing,
  cluster: prepareClickHouse,
  notebooks: prepareKernels,
  layouts: nothing,
  batch: nothing,
  golden: prepareGoldenFiles,
  danfo: () => installOwnPackages('test/danfo'),
  vega5: () => installOwnPackages('test/vega5'),
  site: () => installOwnPackages('docs/site'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    night: { type: 'boolean', default: false },
    /** Runs lint, types and build while programs are installed, and no test unless they pass. */
    checks: { type: 'boolean', default: false },
  },
});
const stages = { ...(positionals.length > 0 ? { ...GATE, ...NIGHT } : values.night ? NIGHT : GATE) };
const unknown = positionals.filter((name) => !(name in stages));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: choose of ${Object.keys(stages).join(', ')}`);
  process.exit(2);
}
const wanted = Object.entries(stages).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
const checks = values.checks ? spawn('npm', ['run', '--silent', 'checks'], { stdio: 'inherit' }) : null;
const checked = checks === null ? [0] : once(checks, 'close');
const prepared = await Promise.all(
  wanted.map(async ([name, prepare]) => ({ name, reason: await prepare() })),
);
const [code] = await checked;
if (code !== 0) process.exit(code ?? 1);
const runnable = prepared.filter(({ reason }) => reason === null).map(({ name }) => `--project=${name}`);
const missing = process.env.CI === undefined ? 'skipped' : 'failed';
const reasons = prepared.flatMap(({ name, reason }) =>
  reason === null ? [] : [`${missing}: ${name}: ${reason}`],
);
const { status } = spawnSync('npx', ['vitest', 'run', ...runnable], {
  stdio: 'inherit',
});
for (const reason of reasons) console.error(reason);
process.exitCode = reasons.length > 0 && process.env.CI !== undefined ? 1 : (status ?? 1);
