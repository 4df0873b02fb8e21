import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { extname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as runBundler } from 'rolldown';

/** What the build depends on besides `src`: the compilers and the types of packages are as the lock says. */
const CONFIGURATION = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

/** In `src`: programs that the package starts itself, beside the entry points and commands of `package.json`. */
const THREADS = ['ingest/thread/reading-thread'];

/** Packages that are bundled with ours, each with its licence: of their many files a program would load all. */
const BUNDLED = ['zod'];

/** How the page is bundled; a project without this file has no page. */
const PAGE_CONFIGURATION = 'vite.config.ts';

/** In `src`: what Vite bundles and the compiler leaves out. */
const PAGE = 'explorer';

/** In `src`: the files of ours that `/docs` loads, beside those of Swagger UI. Both are copied to `dist/docs`. */
const DOCS = 'service/page/docs';
const SWAGGER_UI = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];

/**
 * In `dist`: the checksum of the inputs from which it was built, and the files that it has then. Absent while a build runs and
 * after one that failed.
 */
const STAMP = '.inputs';

/** A lock of a process that cannot be seen from here, as in another container, is not waited for longer. */
const MAX_BUILD_MS = 120_000;

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/**
 * Builds `dist` from `src`, unless it was built from the very same inputs: a few scripts for each entry point, since Node takes
 * half a millisecond for every file of a program, the declarations of all files, and the page. Two processes may call this at
 * once: one builds, the other waits.
 * @returns whether it built anything
 * @throws Error with the messages of the compilers, when there are any
 */
export async function buildPackage(root: string = ROOT, options: { force?: boolean } = {}): Promise<boolean> {
  if (options.force !== true && isBuilt(root)) return false;
  const lock = join(root, 'dist.lock');
  await takeLock(lock);
  try {
    if (options.force !== true && isBuilt(root)) return false;
    await build(root);
    return true;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function build(root: string): Promise<void> {
  const dist = join(root, 'dist');
  const checksum = checksumOfInputs(root);
  rmSync(dist, { recursive: true, force: true });
  await run(root, ['typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  await bundle(root);
  if (hasPage(root)) await run(root, ['vite/bin/vite.js', 'build']);
  copyDocs(root);
  writeFileSync(join(dist, STAMP), [checksum, ...filesOf(dist)].join('\n'));
}

/** What several entry points share stands in scripts of its own, so that a class is the same for all of them. */
async function bundle(root: string): Promise<void> {
  const { exports, bin = {}, dependencies = {}, peerDependencies = {} } = readManifest(root);
  const scripts = [...Object.values(exports).flatMap(scriptsOf), ...Object.values(bin)];
  const names = scripts.map((path) => relative('dist', path).replace(/\.js$/, ''));
  const threads = THREADS.filter((name) => existsSync(join(root, 'src', `${name}.ts`)));
  const used = Object.keys({ ...dependencies, ...peerDependencies });
  const apart = used.filter((name) => !BUNDLED.includes(name));
  await runBundler({
    cwd: root,
    input: Object.fromEntries([...names, ...threads].map((name) => [name, join(root, 'src', `${name}.ts`)])),
    platform: 'node',
    external: (id) => apart.some((name) => id === name || id.startsWith(`${name}/`)),
    output: { dir: 'dist', chunkFileNames: 'shared/[name]-[hash].js' },
    logLevel: 'silent',
  });
  for (const name of BUNDLED.filter((name) => used.includes(name)))
    cpSync(join(root, 'node_modules', name, 'LICENSE'), join(root, 'dist', 'licenses', `${name}.txt`));
}

interface Manifest {
  readonly exports: Readonly<Record<string, Target>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: object;
  readonly peerDependencies?: object;
}

/** A file of `dist`, or one for each condition. */
type Target = string | { readonly [condition: string]: Target };

function readManifest(root: string): Manifest {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
}

function scriptsOf(target: Target): string[] {
  if (typeof target !== 'string') return Object.values(target).flatMap(scriptsOf);
  return target.endsWith('.js') ? [target] : [];
}

function copyDocs(root: string): void {
  const own = join(root, 'src', DOCS);
  if (!existsSync(own)) return;
  const to = join(root, 'dist', 'docs');
  cpSync(own, to, { recursive: true });
  for (const file of SWAGGER_UI) cpSync(join(root, 'node_modules/swagger-ui-dist', file), join(to, file));
}

/** Runs a program of `node_modules`. */
async function run(root: string, [program, ...args]: readonly [string, ...string[]]): Promise<void> {
  const path = join(root, 'node_modules', program);
  try {
    await promisify(execFile)(process.execPath, [path, ...args], { cwd: root });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`the build failed:\n${stdout}${stderr}`, { cause: error });
  }
}

function hasPage(root: string): boolean {
  return existsSync(join(root, PAGE_CONFIGURATION));
}

function isBuilt(root: string): boolean {
  const path = join(root, 'dist', STAMP);
  if (!existsSync(path)) return false;
  const [checksum, ...files] = readFileSync(path, 'utf8').split('\n');
  return checksum === checksumOfInputs(root) && files.every((file) => existsSync(join(root, 'dist', file)));
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
}

function checksumOfInputs(root: string): string {
  const hash = createHash('sha256');
  const configuration = hasPage(root) ? [...CONFIGURATION, PAGE_CONFIGURATION] : CONFIGURATION;
  for (const path of [...configuration, ...sources(root)]) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function sources(root: string): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') || (isCopied(file) && extname(file) !== ''))
    .map((file) => join('src', file))
    .sort();
}

/** Whether a file of `src` is part of the page or of the documentation. */
function isCopied(file: string): boolean {
  return [PAGE, DOCS].some((folder) => file.startsWith(`${folder}/`));
}

/** Makes the lock, which holds its owner's process id, as soon as no living process has it. */
async function takeLock(lock: string): Promise<void> {
  const own = `${lock}.${randomUUID()}`;
  writeFileSync(own, String(process.pid));
  try {
    while (!linkIfAbsent(own, lock)) {
      if (isAbandoned(lock)) rmSync(lock, { force: true });
      else await sleep(50);
    }
  } finally {
    rmSync(own);
  }
}

/** A link appears together with its content, which a file that is opened and then written does not. */
function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(lock: string): boolean {
  try {
    if (Date.now() - statSync(lock).mtimeMs > MAX_BUILD_MS) return true;
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildPackage(ROOT, { force: process.argv.includes('--force') });
}
