import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { VERSION } from '../../src/contract/version.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Runs Node to its end. @returns what it printed */
function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

/** The command may take three times as long as Node itself. */
const version = maker('cropframe --version', async (name) => {
  return workload<string>({
    workload: name,
    rows: 0,
    bytes: (printed) => printed.length,
    ours: () => node('dist/cli/main.js', '--version'),
    rivals: [
      rival<string, string>({
        rival: 'node -e 0',
        run: () => node('-e', '0'),
        assertEqual: (ours, theirs) => assert.deepEqual([ours, theirs], [VERSION, '']),
        wanted: 0.33,
      }),
    ],
  });
});

const ROWS = 3;
const BYTES = Buffer.from(tableToIPC(new Table({ value: vectorFromArray([1, 2, 3]) }))).toString('base64');

/** A module that reads a small table by one function of a package, so that both sides answer the same. */
function readingModule(from: string, read: string): string {
  return `import { ${read} } from '${from}'; console.log(${read}(Buffer.from('${BYTES}', 'base64')).numRows)`;
}

/** Importing the package may take 150 ms more than importing apache-arrow. */
const importing = maker(
  "import 'cropframe' in a new process, and read a table of three rows",
  async (name) => {
    return workload<string>({
      workload: name,
      rows: ROWS,
      bytes: (printed) => printed.length,
      ours: () => node('--input-type=module', '-e', readingModule('cropframe', 'fromArrow')),
      rivals: [
        rival<string, string>({
          rival: "import 'apache-arrow'",
          run: () => node('--input-type=module', '-e', readingModule('apache-arrow', 'tableFromIPC')),
          assertEqual: (ours, theirs) => assert.deepEqual([ours, theirs], [String(ROWS), String(ROWS)]),
        }),
      ],
    });
  },
);

export const workloads: readonly WorkloadMaker[] = [version, importing];
