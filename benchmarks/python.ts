import { spawnSync } from 'node:child_process';

/** Debian's Python comes before one that stands earlier on the path, which seldom has pandas. */
const CANDIDATES = [process.env.CROPFRAME_PYTHON, '/usr/bin/python3', 'python3'];

const found = new Map<string, string | null>();

/** A Python that has these modules: `CROPFRAME_PYTHON`, or the first of the usual ones; null, said aloud, when none has. */
export function findPython(...modules: readonly string[]): string | null {
  const names = modules.join(', ');
  const known = found.get(names);
  if (known !== undefined) return known;
  const has = (python: string | undefined): python is string =>
    python !== undefined && spawnSync(python, ['-c', `import ${names}`]).status === 0;
  const python = CANDIDATES.find(has) ?? null;
  if (python === null) {
    console.log(`no Python here has ${names}, so its rival is left out (set CROPFRAME_PYTHON)`);
  }
  found.set(names, python);
  return python;
}

/** Whether a rival was left out for want of a Python. */
export function isPythonMissed(): boolean {
  return [...found.values()].includes(null);
}

/** The version of a module of a Python. */
export function versionIn(python: string, module: string): string {
  const code = `import ${module}; print(${module}.__version__)`;
  return spawnSync(python, ['-c', code], { encoding: 'utf8' }).stdout.trim();
}
