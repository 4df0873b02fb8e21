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

/** A Jupyter kernel, as its specification starts it. */
export interface Kernel {
  readonly name: string;
  /** With `{connection_file}` where the kernel learns how to be spoken to. */
  readonly argv: readonly string[];
}

/** A temporary copy of the repository as a notebook sees it: what is executed there changes nothing here. */
export interface Workspace {
  /** The folder in which notebooks are executed, and write their files. */
  readonly folder: string;
  /** Executes a notebook, going on after a cell that fails, and gives it back with its outputs. */
  execute(name: string, notebook: Notebook): Promise<Notebook>;
  close(): Promise<void>;
}

/**
 * Deno resolves `cropframe` from the notebook's folder upwards: to the package.json that bears that name, as Node does
 * for a package that imports itself, and from there to the built `dist`. Other kernels find it among the packages.
 */
export async function createWorkspace(kernel: Kernel = denoKernel()): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), 'cropframe-notebooks-'));
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  await cp(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  await cp(join(ROOT, 'data-sets'), join(folder, 'data-sets'), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await mkdir(join(folder, 'notebooks'));
  await cp(join(ROOT, 'notebooks', 'data'), join(folder, 'notebooks', 'data'), { recursive: true });
  if (kernel.name !== 'deno') {
    await mkdir(join(folder, 'notebooks', 'node_modules'));
    await symlink(folder, join(folder, 'notebooks', 'node_modules', 'cropframe'));
  }
  await writeKernelSpec(folder, kernel);
  return {
    folder: join(folder, 'notebooks'),
    execute: (name, notebook) => executeIn(folder, { kernel, name, notebook }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Deno's kernel, from the binary that npm installed. */
function denoKernel(): Kernel {
  return { name: 'deno', argv: [findDeno(), 'jupyter', '--kernel', '--conn', '{connection_file}'] };
}

/** The kernel stands in the workspace, not in the user's home, where `deno jupyter --install` would put it. */
async function writeKernelSpec(folder: string, { name, argv }: Kernel): Promise<void> {
  const place = join(folder, 'jupyter', 'kernels', name);
  await mkdir(place, { recursive: true });
  const spec = { argv, display_name: name, language: 'typescript' };
  await writeFile(join(place, 'kernel.json'), JSON.stringify(spec));
}

async function executeIn(
  folder: string,
  { kernel, name, notebook }: { kernel: Kernel; name: string; notebook: Notebook },
): Promise<Notebook> {
  const given = join(folder, 'notebooks', name);
  await writeFile(given, JSON.stringify(notebook));
  const python = findPython();
  if (python === null)
    throw new Error('no Python has jupyter_client; run: node --import tsx test/verify.ts test/notebooks');
  const options = { cwd: join(folder, 'notebooks'), env: environment(folder) };
  await promisify(execFile)(python, [join(HERE, 'execute.py'), given, kernel.name], options);
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
