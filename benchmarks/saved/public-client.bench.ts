import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findPython, versionIn } from '../python.js';
import { dailyStore, POINTS_A_SERIES, WHOLE } from '../stores/daily-store.js';
import type { Wanted } from '../stores/engine.js';
import { neighbouring } from '../stores/selections.js';
import { keyOf } from '../stores/synthetic-weather.js';
import { maker, type Rival, rival, type WorkloadMaker, workload } from '../workload.js';
import { frameGetter, type Got } from './frame-getter.js';

const SCRIPT = fileURLToPath(new URL('public_client.py', import.meta.url));
const COUNT = 1_000;

/** Columns that both frames have, as bytes in a file each. */
const COLUMNS = [
  'start_date',
  'end_date',
  'value',
  'unit_id',
  'metric_id',
  'item_id',
  'region_id',
  'partner_region_id',
  'frequency_id',
  'source_id',
];

interface PythonRun {
  readonly ms: number;
  readonly folder: string;
}

/** A run of the Python script: it measures itself, without its imports, sorting and writing. */
async function runPython(
  python: string,
  { folder, url, wanted, way }: { folder: string; url: string; wanted: Wanted; way: string },
): Promise<PythonRun> {
  const into = mkdtempSync(join(folder, `${way}-`));
  writeFileSync(join(into, 'task.json'), JSON.stringify({ url, keys: wanted.map(keyOf) }));
  const { stdout } = await promisify(execFile)(python, [SCRIPT, into, way]);
  return { ms: Number(stdout), folder: into };
}

function assertSameColumns(ours: string, theirs: string): void {
  for (const column of COLUMNS) {
    const [one, other] = [ours, theirs].map((folder) => readFileSync(join(folder, column)));
    assert.ok(one!.length > 0 && same(column, one!, other!), `${column} differs`);
  }
}

/** Whether the numbers are the same; JSON has no negative zero. */
function same(column: string, one: Buffer, other: Buffer): boolean {
  if (column !== 'value' || one.length !== other.length) return one.equals(other);
  const [values, others] = [one, other].map((bytes) => new Float64Array(Uint8Array.from(bytes).buffer));
  return values!.every((value, row) => value === others![row]);
}

const WAYS = {
  each: 'the public Python client’s way: a JSON request a series, a concatenation each',
  once: 'the same with one connection, and one concatenation at the end',
} as const;

const publicClient = maker(
  `getDf of ${COUNT.toLocaleString('en-US')} series × ${POINTS_A_SERIES.toLocaleString('en-US')} points, long`,
  async (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'cropframe-bench-'));
    const wanted = neighbouring(COUNT, WHOLE);
    const columnsTo = join(folder, 'ours');
    const task = { file: await dailyStore(WHOLE), wanted, compress_format: false, columnsTo };
    const getter = await frameGetter(task, 'loopback');
    const python = findPython('pandas', 'requests');
    const rivalOf = (python: string, way: keyof typeof WAYS): Rival<Got> =>
      rival<Got, PythonRun>({
        rival: `${WAYS[way]} (pandas ${versionIn(python, 'pandas')})`,
        run: () => runPython(python, { folder, url: getter.url!, wanted, way }),
        ownMs: ({ ms }) => ms,
        assertEqual: (_, theirs) => assertSameColumns(columnsTo, theirs.folder),
        ...(way === 'each' ? { wanted: 100 } : {}),
      });
    return workload<Got>({
      workload: name,
      rows: COUNT * POINTS_A_SERIES,
      bytes: ({ answer }) => answer.bytes,
      ours: () => getter.get(),
      ownMs: ({ ms }) => ms,
      peakBytes: ({ peakBytes }) => peakBytes,
      rivals: python === null ? [] : [rivalOf(python, 'each'), rivalOf(python, 'once')],
      close: async () => {
        await getter.close();
        rmSync(folder, { recursive: true });
      },
    });
  },
);

export const workloads: WorkloadMaker[] = [publicClient];
