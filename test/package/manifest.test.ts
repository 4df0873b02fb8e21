import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { packageName, readImports } from '../architecture/rules.js';
import { publicNames } from './public-names.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a user's install may hold, and why. */
const RUNTIME_DEPENDENCIES: Readonly<Record<string, string>> = {
  '@duckdb/node-api': 'the embedded store',
  '@hono/node-server': 'serves over a socket',
  '@noble/hashes': 'checksums of frames in browsers',
  'apache-arrow': 'frames, and points on the wire',
  commander: 'the command line',
  flatbuffers: 'reads the metadata of Arrow files within its bounds',
  hono: 'the service',
  hyparquet: 'reads the footer of Parquet files',
  lz4js: 'reads Arrow files that are compressed with LZ4',
  'p-limit': 'the concurrent fan-out',
  'parquet-wasm': 'Parquet',
  'prom-client': 'metrics of a service',
  saxes: 'reads XML bulk files',
  'simple-statistics': 'sums',
  undici: 'fetches files through the proxy of the environment, which Node’s own fetch does not read',
  vega: 'draws charts',
  'vega-interpreter': 'draws charts where a page forbids eval',
  'vega-lite': 'the specifications of charts',
  yauzl: 'reads zip archives',
  '@valibot/to-json-schema': 'schemas as OpenAPI and tools of assistants have them',
  valibot: 'schemas of arguments and of the wire',
};

/** What a user adds who wants it, loaded when it is first needed. */
const OPTIONAL_PEERS = [
  'danfojs-node',
  'write-excel-file',
  '@clickhouse/client',
  '@modelcontextprotocol/sdk',
];

/** Nodes on which every runtime dependency must say that it runs: the oldest of `engines`. */
const OLDEST_NODE = [20, 15] as const;

interface Manifest {
  readonly name: string;
  readonly type: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly main: string;
  readonly types: string;
  readonly typesVersions: unknown;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, LockedPackage>>;

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Content;
}

const manifest = readJson<Manifest>('package.json');
const lock = readJson<{ packages: Lock }>('package-lock.json').packages;

/** The locks of the repository: its own, and those of folders that install for themselves. */
const LOCKS: [string, Lock][] = [
  ['package-lock.json', lock],
  ...['docs/site', ...readdirSync(join(ROOT, 'test')).map((name) => `test/${name}`)]
    .map((folder) => `${folder}/package-lock.json`)
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path): [string, Lock] => [path, readJson<{ packages: Lock }>(path).packages]),
];

const runtimeLock = Object.entries(lock).filter(
  ([path, entry]) => path !== '' && entry.dev !== true && entry.devOptional !== true,
);

/** Whether one of a range's alternatives begins at or below the given version. */
function admits(range: string, [major, minor]: readonly [number, number]): boolean {
  return range.split('||').some((alternative) => {
    const [, comparator = '', first, second = '0'] =
      /(\^|~|>=|>)?\s*v?(\d+)(?:\.(\d+))?/.exec(alternative) ?? [];
    if (first === undefined) return true;
    if (Number(first) === major) return Number(second) <= minor;
    return comparator.startsWith('>') && Number(first) < major;
  });
}

/** The file of `src` from which a file of `dist` is built. */
function sourceOf(built: string): string {
  return built.replace(/^(\.\/)?dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts');
}

/** The files of `src` that a user imports, by what they write. */
const ENTRIES = Object.entries(manifest.exports).flatMap(([path, target]) =>
  typeof target === 'string' ? [] : [{ name: manifest.name + path.slice(1), ...target }],
);

/** Packages that src imports, each with one file that does. */
function readImportedPackages(): Map<string, string> {
  const packages = new Map<string, string>();
  for (const path of readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })) {
    // The page is bundled: what it imports is in its own files.
    if (!path.endsWith('.ts') || path.startsWith('explorer/')) continue;
    for (const { specifier, typeOnly } of readImports(readFileSync(join(ROOT, 'src', path), 'utf8'))) {
      if (/^(\.|node:)/.test(specifier) || typeOnly) continue;
      packages.set(packageName(specifier), `src/${path}`);
    }
  }
  return packages;
}

const importedPackages = readImportedPackages();

describe('dependencies', () => {
  it('are those of the policy, each for its reason', () => {
    expect(Object.keys(manifest.dependencies).sort()).toEqual(Object.keys(RUNTIME_DEPENDENCIES).sort());
  });

  it('are declared when src imports them', () => {
    const declared = { ...manifest.dependencies, ...manifest.peerDependencies };
    const missing = [...importedPackages].filter(([name]) => declared[name] === undefined);
    expect(missing.map(([name, file]) => `${file} imports ${name}`)).toEqual([]);
  });

  it.each(OPTIONAL_PEERS)('%s is never installed unasked: an optional peer where src imports it', (name) => {
    expect(manifest.dependencies).not.toHaveProperty([name]);
    const declared = manifest.peerDependencies?.[name] !== undefined;
    expect(declared || !importedPackages.has(name)).toBe(true);
    if (declared) expect(manifest.peerDependenciesMeta?.[name]?.optional).toBe(true);
  });

  it('are pinned where a release is a prerelease or a format', () => {
    const exact = [
      '@duckdb/node-api',
      'apache-arrow',
      'parquet-wasm',
      'vega',
      'vega-interpreter',
      'vega-lite',
    ];
    for (const name of exact) expect(manifest.dependencies[name]).toMatch(/^\d+\.\d+\.\d+(-r\.\d+)?$/);
  });

  it('run no install script', () => {
    expect(runtimeLock.length).toBeGreaterThan(Object.keys(RUNTIME_DEPENDENCIES).length);
    expect(runtimeLock.filter(([, entry]) => entry.hasInstallScript).map(([path]) => path)).toEqual([]);
  });

  it('run on the oldest Node that the package does', () => {
    expect(manifest.engines.node).toBe(`>=${OLDEST_NODE.join('.')}`);
    const tooNew = runtimeLock.filter(([, { engines }]) => !admits(engines?.node ?? '*', OLDEST_NODE));
    expect(tooNew.map(([path, { engines }]) => `${path} wants ${engines?.node}`)).toEqual([]);
  });
});

describe.each(LOCKS)('%s', (_path, packages) => {
  it('names no registry', () => {
    expect(Object.keys(packages).length).toBeGreaterThan(1);
    const resolved = Object.entries(packages).filter(([, entry]) => /^https?:/.test(entry.resolved ?? ''));
    expect(resolved.map(([path]) => path)).toEqual([]);
  });

  it('holds every platform’s optional package, without which npm ci refuses it', () => {
    const missing = Object.entries(packages).flatMap(([path, entry]) =>
      Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !isLocked(packages, path, name))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });
});

/** Whether a package that another needs stands in its own or an outer `node_modules`. */
function isLocked(packages: Lock, path: string, name: string): boolean {
  const outer = path
    .split('/node_modules/')
    .map((_, i, parts) => parts.slice(0, i + 1).join('/node_modules/'));
  return ['', ...outer].some(
    (folder) => packages[`${folder && `${folder}/`}node_modules/${name}`] !== undefined,
  );
}

describe('the manifest', () => {
  it('is of an ECMAScript module under Apache-2.0', () => {
    expect(manifest.type).toBe('module');
    expect(manifest.license).toBe('Apache-2.0');
    expect(readFileSync(join(ROOT, 'LICENSE'), 'utf8')).toContain('Version 2.0, January 2004');
  });

  it('has main and types that are those of its root export', () => {
    expect(manifest.exports['.']).toMatchObject({ types: manifest.types, default: manifest.main });
  });

  it('has for browsers another root, by the condition that bundlers try first', () => {
    expect(manifest.exports['.']).toHaveProperty('browser.default', './dist/browser.js');
    expect(Object.keys(manifest.exports['.']!)[0]).toBe('browser');
  });

  it('tells older TypeScript, such as tslab’s, where the types of each entry point are', () => {
    const entries = Object.entries(manifest.exports).flatMap(([path, target]) =>
      typeof target === 'string' || path === '.' ? [] : [[path.slice(2), [target.types]]],
    );
    expect(manifest.typesVersions).toEqual({ '*': Object.fromEntries(entries) });
  });

  it.each(ENTRIES)('$name is built from a file of src', ({ types, default: built }) => {
    expect(sourceOf(types)).toBe(sourceOf(built));
    expect(existsSync(join(ROOT, sourceOf(built)))).toBe(true);
  });

  it.each(Object.entries(manifest.bin))('the command %s is a program', (_name, built) => {
    expect(readFileSync(join(ROOT, sourceOf(built)), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('ships no source maps, since it ships no sources', () => {
    const { compilerOptions } = readJson<{ compilerOptions: object }>('tsconfig.json');
    expect(compilerOptions).not.toHaveProperty('sourceMap');
  });

  it('ships what it lists', () => {
    const listed = manifest.files.filter((name) => name !== 'dist' && !name.startsWith('!'));
    expect(listed.filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
  });
});

describe('public names', () => {
  it('of the root are those that most users need', async () => {
    const root = Object.entries(await import('../../src/index.js'));
    const values = root.filter(
      ([, value]) => !(value instanceof Function && value.prototype instanceof Error),
    );
    expect(values.length).toBeLessThanOrEqual(24);
  });

  it('are all documented', () => {
    const names = publicNames(ENTRIES.map(({ types }) => join(ROOT, types)));
    expect(names.length).toBeGreaterThan(0);
    const bare = names.filter(({ documented }) => !documented);
    expect(bare.map(({ name, file }) => `${relative(ROOT, file)}: ${name} has no docstring`)).toEqual([]);
  });

  it('stand for one value each: no two entry points export the same, beside the root and its form for browsers', async () => {
    const once = ENTRIES.filter(({ name }) => name !== 'cropframe/browser');
    const names = publicNames(once.map(({ types }) => join(ROOT, types)));
    const values = names.filter(({ isValue }) => isValue).map(({ name }) => name);
    expect(values.filter((name, i) => values.indexOf(name) !== i)).toEqual([]);
  });
});
