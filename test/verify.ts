import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { prepareChromium } from './browser/chromium.js';
import { RAN } from './built.js';
import { prepareClickHouse } from './clickhouse/prepare.js';
import { ENDURANCE, WITHOUT } from './endurance.js';
import { installOwnPackages } from './install/own-packages.js';
import { prepareShells } from './install/shells.js';
import { prepareGoldenFiles } from './night/golden-files.js';
import { prepareNotebooks } from './notebooks/prepare.js';

/** Installs the programs of some tests. Returns the reason when this machine cannot run them, or null. */
type Prepare = () => string | null | Promise<string | null>;

/** The beginnings of paths of tests that need programs. */
const GATE: Readonly<Record<string, Prepare>> = {
  'test/browser/': prepareChromium,
  'test/clickhouse/': prepareClickHouse,
};

const NIGHT: Readonly<Record<string, Prepare>> = {
  'test/cli/commands/completion': prepareShells,
  'test/night/danfo': () => installOwnPackages('test/danfo'),
  'test/night/golden': prepareGoldenFiles,
  'test/night/notebooks': prepareNotebooks,
  'test/night/site': () => installOwnPackages('docs/site'),
  'test/night/vega': () => installOwnPackages('test/vega5'),
  'test/notebooks-tslab/': () => prepareNotebooks('test/notebooks-tslab'),
  'test/package/installed': () => installOwnPackages('test/node-versions'),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    night: { type: 'boolean', default: false },
    /** Runs lint, types and build while programs are installed, and no test unless they pass. */
    checks: { type: 'boolean', default: false },
  },
});
const isWanted = (tests: string): boolean =>
  positionals.length === 0 || positionals.some((path) => path.startsWith(tests) || tests.startsWith(path));
const wanted = Object.entries(values.night ? { ...GATE, ...NIGHT } : GATE).filter(([tests]) =>
  isWanted(tests),
);
const checks = values.checks ? spawn('npm', ['run', '--silent', 'checks'], { stdio: 'inherit' }) : null;
const checked = checks === null ? [0] : once(checks, 'close');
const prepared = await Promise.all(
  wanted.map(async ([tests, prepare]) => ({ tests, reason: await prepare() })),
);
const [code] = await checked;
if (code !== 0) process.exit(code ?? 1);
const missing = prepared.filter(({ reason }) => reason !== null);
const env: NodeJS.ProcessEnv = {
  ...process.env,
  [WITHOUT]: missing.map(({ tests }) => `${tests}**`).join(' '),
  ...(values.night ? { [ENDURANCE]: 'true' } : {}),
  // The checks have built both.
  ...(values.checks ? { [`${RAN}build`]: 'true', [`${RAN}build:regions`]: 'true' } : {}),
};
const { status } = spawnSync('npx', ['vitest', 'run', ...positionals], { stdio: 'inherit', env });
const mustRun = process.env.CI !== undefined;
for (const { tests, reason } of missing)
  console.error(`${mustRun ? 'failed' : 'skipped'}: ${tests}: ${reason}`);
process.exitCode = missing.length > 0 && mustRun ? 1 : (status ?? 1);
