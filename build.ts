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

/** What the build depends on besides `src`: the compiler and the types of packages are as the lock says. */
const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

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

/** In `dist`: the checksum of the inputs from which it was built. Absent while a build runs and after one that failed. */
const STAMP = '.inputs';

/** A lock of a process that cannot be seen from here, as in another container, is not waited for longer. */
const MAX_BUILD_MS = 120_000;

const ROOT = fileURLToPath(new URL('.', import.meta.url));

/**
 * Compiles `src` to `dist` and bundles its page, unless `dist` was built from the very same inputs. Two processes may call this at once: one
 * builds, the other waits.
 * @returns whether it compiled anything
 * @throws Error with the messages of the compiler or of Vite, when there are any
 */
export async function buildPackage(root: string = ROOT, options: { force?: boolean } = {}): Promise<boolean> {
  if (options.force !== true && isBuilt(root)) return false;
  const lock = join(root, 'dist.lock');
  await takeLock(lock);
  try {
    if (options.force !== true && isBuilt(root)) return false;
    await compile(root);
    return true;
  } finally {
    rmSync(lock, { force: true });
  }
}

async function compile(root: string): Promise<void> {
  const dist = join(root, 'dist');
  const checksum = checksumOfInputs(root);
  rmSync(dist, { recursive: true, force: true });
  await run(root, ['typescript/bin/tsc', '-p', 'tsconfig.build.json']);
  if (hasPage(root)) await run(root, ['vite/bin/vite.js', 'build']);
  copyDocs(root);
  writeFileSync(join(dist, STAMP), checksum);
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
  const stamp = join(root, 'dist', STAMP);
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== checksumOfInputs(root)) return false;
  return sources(root).every((path) => existsSync(join(root, 'dist', outputOf(relative('src', path)))));
}

/** The file of `dist` that is built from a file of `src`, or with it. */
function outputOf(source: string): string {
  if (source.startsWith(`${PAGE}/`)) return join(PAGE, 'index.html');
  if (source.startsWith(`${DOCS}/`)) return join('docs', relative(DOCS, source));
  return source.replace(/\.ts$/, '.js');
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
