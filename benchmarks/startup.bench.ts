import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { VERSION } from '../src/contract/wire-names.js';
import { rival, type WorkloadMaker, workload } from './measure.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs Node to its end. @returns what it printed */
function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

const version: WorkloadMaker = {
  name: 'cropframe --version',
  async make() {
    return workload<string>({
      name: 'cropframe --version',
      rows: 0,
      ours: () => node('dist/cli/main.js', '--version'),
      rivals: [
        rival<string, string>({
          name: 'node -e 0',
          run: () => node('-e', '0'),
          assertEqual: (ours, theirs) => assert.deepEqual([ours, theirs], [VERSION, '']),
        }),
      ],
    });
  },
};

const ROWS = 3;
const BYTES = Buffer.from(tableToIPC(new Table({ value: vectorFromArray([1, 2, 3]) }))).toString('base64');

/** A module that reads a small table by one function of a package, so that both sides answer the same. */
function readingModule(from: string, read: string): string {
  return `import { ${read} } from '${from}'; console.log(${read}(Buffer.from('${BYTES}', 'base64')).numRows)`;
}

const importing: WorkloadMaker = {
  name: "import 'cropframe' in a new process, and read a table of three rows",
  async make() {
    return workload<string>({
      name: "import 'cropframe' in a new process, and read a table of three rows",
      rows: ROWS,
      ours: () => node('--input-type=module', '-e', readingModule('cropframe', 'fromArrow')),
      rivals: [
        rival<string, string>({
          name: "import 'apache-arrow'",
          run: () => node('--input-type=module', '-e', readingModule('apache-arrow', 'tableFromIPC')),
          assertEqual: (ours, theirs) => assert.deepEqual([ours, theirs], [String(ROWS), String(ROWS)]),
        }),
      ],
    });
  },
};

export const workloads: readonly WorkloadMaker[] = [version, importing];
