import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Notebook } from './notebook.js';
import { findDeno, findPython } from './prepare.js';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = join(HERE, '..', '..');

/** A temporary copy of the repository as a notebook sees it: what is executed there changes nothing here. */
export interface Workspace {
  /** Executes a notebook, going on after a cell that fails, and gives it back with its outputs. */
  execute(name: string, notebook: Notebook): Promise<Notebook>;
  close(): Promise<void>;
}

/**
 * Deno resolves `cropframe` from the notebook's folder upwards: to the package.json that bears that name, as Node does
 * for a package that imports itself, and from there to the built `dist`.
 */
export async function createWorkspace(): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'cropframe-notebooks-'));
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'notebooks'));
  await writeKernelSpec(folder);
  return {
    execute: (name, notebook) => executeIn(folder, name, notebook),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The kernel stands in the workspace, not in the user's home, where `deno jupyter --install` would put it. */
async function writeKernelSpec(folder: string): Promise<void> {
  const kernel = join(folder, 'jupyter', 'kernels', 'deno');
  await mkdir(kernel, { recursive: true });
  const spec = {
    argv: [findDeno(), 'jupyter', '--kernel', '--conn', '{connection_file}'],
    display_name: 'Deno',
    language: 'typescript',
  };
  await writeFile(join(kernel, 'kernel.json'), JSON.stringify(spec));
}

async function executeIn(folder: string, name: string, notebook: Notebook): Promise<Notebook> {
  const given = join(folder, 'notebooks', name);
  await writeFile(given, JSON.stringify(notebook));
  const python = findPython();
  if (python === null)
    throw new Error('no Python has jupyter_client; run: npm run verify -- build notebooks');
  const options = { cwd: join(folder, 'notebooks'), env: environment(folder) };
  await promisify(execFile)(python, [join(HERE, 'execute.py'), given, 'deno'], options);
  return JSON.parse(await readFile(given, 'utf8')) as Notebook;
}

function environment(folder: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    JUPYTER_DATA_DIR: join(folder, 'jupyter'),
    JUPYTER_CONFIG_DIR: join(folder, 'jupyter-config'),
    JUPYTER_RUNTIME_DIR: join(folder, 'jupyter-runtime'),
    IPYTHONDIR: join(folder, 'ipython'),
    DENO_DIR: join(folder, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
  };
}
