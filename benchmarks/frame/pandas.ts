import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isValid } from '../../src/columns/bitmap.js';
import { type PlainWide, readEnds } from './plain-loops.js';
import type { PointBatches } from './points.js';

const PIVOT = `
import sys, time, numpy, pandas
folder = sys.argv[1]
points = pandas.DataFrame({
    'series': numpy.fromfile(folder + '/series', dtype='uint32'),
    'end_date': numpy.fromfile(folder + '/end', dtype='float64'),
    'value': numpy.fromfile(folder + '/value', dtype='float64'),
})
times = []
for _ in range(3):
    began = time.perf_counter()
    wide = points.pivot_table(index='end_date', columns='series', values='value', aggfunc='first', dropna=False)
    times.append((time.perf_counter() - began) * 1000)
wide.index.to_numpy().astype('float64').tofile(folder + '/dates')
numpy.ascontiguousarray(wide.to_numpy().T).tofile(folder + '/columns')
print(sorted(times)[1])
`;

/** The points in files that numpy reads. */
export interface PandasPoints {
  folder: string;
  close(): void;
}

export function loadPandas({ batches }: PointBatches): PandasPoints {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-bench-'));
  const bytes = (array: Uint32Array | Float64Array) =>
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  const write = (name: string, parts: (Uint32Array | Float64Array)[]) =>
    writeFileSync(join(folder, name), Buffer.concat(parts.map(bytes)));
  write(
    'series',
    batches.map(({ series }) => series),
  );
  write(
    'end',
    batches.map(({ end_date }) => readEnds(end_date)),
  );
  write(
    'value',
    batches.map(({ value, value_valid }) =>
      value.map((each, i) => (isValid(value_valid, i) ? each : Number.NaN)),
    ),
  );
  return { folder, close: () => rmSync(folder, { recursive: true }) };
}

/** Pivots in a process of its own; the time is what that process measured, the median of three, reading left out. */
export function pivotInPandas(
  python: string,
  { folder }: PandasPoints,
  series: number,
): PlainWide & { ms: number } {
  const { status, stdout, stderr } = spawnSync(python, ['-c', PIVOT, folder], { encoding: 'utf8' });
  if (status !== 0) throw new RangeError(`pandas failed: ${stderr}`);
  const read = (name: string) => new Float64Array(new Uint8Array(readFileSync(join(folder, name))).buffer);
  const dates = read('dates');
  const all = read('columns');
  const columns = Array.from({ length: series }, (_, at) =>
    all.slice(at * dates.length, (at + 1) * dates.length),
  );
  return { dates, columns, ms: Number(stdout) };
}
