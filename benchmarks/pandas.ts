import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('pandas_rival.py', import.meta.url));

/** Debian's Python comes before one earlier on the path, which seldom has pandas. */
const PYTHON = [process.env.CROPFRAME_PYTHON, '/usr/bin/python3', 'python3'].find(
  (python) => python !== undefined && spawnSync(python, ['-c', 'import pandas']).status === 0,
);

export interface PandasAnswer {
  readonly ms: number;
  /** Of the first run. */
  readonly values: Float64Array;
}

/** A pandas process that has read its input, and answers each run with its own time. */
export interface Pandas {
  run(): Promise<PandasAnswer>;
  close(): void;
}

/** Starts the named work of `pandas_rival.py` on input columns; null where there is no pandas. */
export function startPandas(
  work: string,
  input: Readonly<Record<string, Float64Array | number>>,
): Pandas | null {
  if (PYTHON === undefined) {
    console.log('  no Python here has pandas, so that rival is left out (set CROPFRAME_PYTHON)');
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-pandas-'));
  const sizes: Record<string, number> = {};
  for (const [name, values] of Object.entries(input)) {
    if (typeof values === 'number') sizes[name] = values;
    else writeFileSync(join(folder, `${name}.f64`), new Uint8Array(values.buffer));
  }
  writeFileSync(join(folder, 'sizes.json'), JSON.stringify(sizes));
  const child = spawn(PYTHON, [SCRIPT, work, folder]);
  child.stderr.on('data', (text: Buffer) => process.stderr.write(text));
  return pandasOf(child, folder);
}

function pandasOf(child: ChildProcessWithoutNullStreams, folder: string): Pandas {
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  let values: Float64Array | null = null;
  return {
    async run() {
      child.stdin.write(values === null ? 'answer\n' : 'run\n');
      const line = await lines.next();
      if (line.done) throw new RangeError('pandas ended without an answer');
      values ??= new Float64Array(Uint8Array.from(readFileSync(join(folder, 'answer.f64'))).buffer);
      return { ms: Number(line.value), values };
    },
    close() {
      child.stdin.end();
      rmSync(folder, { recursive: true });
    },
  };
}
