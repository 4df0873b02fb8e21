import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BUILT = join(packageFolder(), 'dist');

/** Where the build puts the page. */
const BUILT_PAGE = join(BUILT, 'explorer');

/** Where it puts the scripts and style sheets of the documentation. */
const BUILT_DOCS = join(BUILT, 'docs');

/** A bundle that a user makes may be without the package, and then has no page. */
function packageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('cropframe/package.json'));
  } catch {
    return dirname(fileURLToPath(import.meta.url));
  }
}

/** A file of the page, ready to be sent. */
export interface PageFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** A strong entity tag. */
  readonly tag: string;
}

/** Whether the page is there: a checkout of the sources has it only after a build. */
export function isPageBuilt(): boolean {
  return existsSync(join(BUILT_PAGE, 'index.html'));
}

/** The document of the page. @throws when it is not built */
export function readDocument(): Promise<PageFile> {
  return readFileOf(join(BUILT_PAGE, 'index.html'));
}

/** A script, a style sheet or another part of the page; null when it has none of this name. */
export function readAsset(name: string): Promise<PageFile | null> {
  return readNamed(join(BUILT_PAGE, 'assets'), name);
}

/** A script or style sheet of the documentation; null when it has none of this name, or is not built. */
export function readDocsFile(name: string): Promise<PageFile | null> {
  return readNamed(BUILT_DOCS, name);
}

async function readNamed(folder: string, name: string): Promise<PageFile | null> {
  if (!/^\w[\w.-]*$/.test(name)) return null;
  return readFileOf(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function readFileOf(path: string): Promise<PageFile> {
  const bytes = new Uint8Array(await readFile(path));
  const contentType = CONTENT_TYPES[extname(path)] ?? 'application/octet-stream';
  const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 32)}"`;
  return { bytes, contentType, tag };
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
