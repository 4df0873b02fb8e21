import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { NIGHT, someOf } from '../endurance.js';
import { temporaryFolder } from '../temporary-files.js';

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string;
  exports: Record<string, unknown>;
  bin: Record<string, string>;
};
const entries = Object.keys(manifest.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => manifest.name + path.slice(1));

/** The limit of a production install on disk; 25 MB of it draw charts. */
const MAX_INSTALL_BYTES = 165e6;

/** Degree days of the quickstart's first season, as in `test/journeys/quickstart.test.ts`. */
const SEATTLE_2012 = 998.65;

const folder = temporaryFolder();

/** The last is that of older TypeScript, which does not read exports. */
const RESOLUTIONS: readonly [module: string, resolution: string, typescript: string, options: string[]][] = [
  ['nodenext', 'nodenext', 'typescript', ['--singleThreaded']],
  ['esnext', 'bundler', 'typescript', ['--singleThreaded']],
  ['esnext', 'node10', 'typescript-api', ['--ignoreDeprecations', '6.0']],
];

/** Another Node, whose binary npm installs into `test/node-versions`; null where npm has none for this machine. */
function otherNode(version: 'oldest' | 'newest'): string | null {
  const name = `${version}-${process.platform}-${process.arch}`;
  const path = resolve('test', 'node-versions', 'node_modules', name, 'bin', 'node');
  if (existsSync(path)) return path;
  console.log(`skipped: npm has no ${version} Node for ${process.platform} ${process.arch}`);
  return null;
}

describe('the manifest', () => {
  it('has nothing that npm corrects when it publishes: it leaves a command out whose path begins with ./', () => {
    const manifestFolder = mkdtempSync(join(folder, 'manifest-'));
    const text = readFileSync('package.json', 'utf8');
    writeFileSync(join(manifestFolder, 'package.json'), text);
    execute('npm', ['pkg', 'fix', '--silent'], { cwd: manifestFolder, stderr: 'pipe' });
    expect(JSON.parse(readFileSync(join(manifestFolder, 'package.json'), 'utf8'))).toEqual(JSON.parse(text));
  });
});

describe('the packed package, installed into an empty project', () => {
  beforeAll(() => install(pack()));

  it('takes little room', () => {
    expect(folderBytes(join(folder, 'node_modules'))).toBeLessThan(MAX_INSTALL_BYTES);
  });

  it('has the files to which its documents link', () => {
    const own = join(folder, 'node_modules', manifest.name);
    const documents = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    expect(documents.length).toBeGreaterThan(20);
    const broken = documents.flatMap((name) => {
      const links = readFileSync(join(own, name), 'utf8').matchAll(/(?:\]\(|\bsrc=")([^)\s"#]+)/g);
      const missing = [...links].filter(
        ([, link]) => !/^[a-z]+:/.test(link!) && !existsSync(join(own, dirname(name), link!)),
      );
      return missing.map(([, link]) => `${name}: ${link}`);
    });
    expect(broken).toEqual([]);
  });

  it.each(someOf(RESOLUTIONS, 1))(
    'has types that a program compiles against, by module %s and resolution %s',
    (module, resolution, typescript, options) => {
      const tsc = resolve('node_modules', typescript, 'bin', 'tsc');
      compileAgainstTypes(tsc, ['--module', module, '--moduleResolution', resolution, ...options]);
    },
  );

  it('ships the licence of every package that is bundled into it', () => {
    const bundled = [
      '@valibot-to-json-schema',
      'countries-list',
      'iso-3166',
      'us-atlas',
      'valibot',
      'world-atlas',
    ];
    const dist = join(folder, 'node_modules', manifest.name, 'dist');
    expect(readdirSync(join(dist, 'licenses')).sort()).toEqual(bundled.map((name) => `${name}.txt`));
    const ofPage = readFileSync(join(dist, 'explorer', 'licenses.md'), 'utf8');
    for (const name of ['preact', 'vega', 'd3-geo', 'apache-arrow']) expect(ofPage).toContain(`## ${name}`);
  });

  it('runs its command', () => {
    for (const name of Object.keys(manifest.bin))
      expect(execute(join(folder, 'node_modules', '.bin', name), ['--help'])).toContain(name);
  });

  it('loads every entry point', () => expectEntries(process.execPath));

  describe.each(NIGHT ? (['oldest', 'newest'] as const) : [])('under the %s Node', (version) => {
    const node = otherNode(version);

    it.skipIf(node === null)('loads every entry point', () => expectEntries(node!));

    it.skipIf(node === null)('runs the quickstart', () => {
      // Only newer versions of Node run TypeScript by themselves.
      const source = readFileSync(join('notebooks', 'quickstart.ts'), 'utf8');
      writeFileSync(join(folder, 'quickstart.mjs'), transformSync(source, { loader: 'ts' }).code);
      const results = JSON.parse(execute(node!, ['quickstart.mjs', '--json'], { stderr: 'pipe' })) as {
        growing_degree_days: { total: number }[];
      };
      const totals = results.growing_degree_days.map(({ total }) => total);
      expect(totals).toHaveLength(8);
      expect(totals[0]).toBeCloseTo(SEATTLE_2012, 6);
    });
  });
});

interface ExecuteOptions {
  readonly cwd?: string;
  /** `pipe` shows it only with the error of a program that fails. */
  readonly stderr?: 'inherit' | 'pipe';
}

function execute(program: string, args: readonly string[], options: ExecuteOptions = {}): string {
  const { cwd = folder, stderr = 'inherit' } = options;
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', stderr],
    maxBuffer: 16_000_000,
  });
}

function pack(): string {
  execute('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: process.cwd(),
  });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball');
  return tarball;
}

function install(tarball: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  execute('npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `./${tarball}`,
  ]);
}

function expectEntries(node: string): void {
  for (const [entry, names] of Object.entries(namesOf(node))) {
    expect(names.length, entry).toBeGreaterThan(0);
    expect(names, 'a default export').not.toContain('default');
  }
}

/** What each entry point exports. */
function namesOf(node: string): Record<string, string[]> {
  const program = `const found = {};
    for (const entry of ${JSON.stringify(entries)}) found[entry] = Object.keys(await import(entry));
    console.log(JSON.stringify(found));`;
  return JSON.parse(execute(node, ['--input-type=module', '--eval', program])) as Record<string, string[]>;
}

function compileAgainstTypes(tsc: string, resolution: readonly string[]): void {
  const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
  const uses = entries.map((_, i) => `typeof entry${i}`);
  writeFileSync(
    join(folder, 'use.ts'),
    [...imports, `export type All = [${uses.join(', ')}];`, `export const first: object = entry0;`].join(
      '\n',
    ),
  );
  const options = [...resolution, '--target', 'ES2023', '--strict', '--skipLibCheck', '--noEmit'];
  const types = ['--types', 'node', '--typeRoots', resolve('node_modules', '@types')];
  execute(process.execPath, [tsc, ...options, ...types, 'use.ts']);
}

function folderBytes(path: string): number {
  const entriesIn = readdirSync(path, { recursive: true, withFileTypes: true });
  return entriesIn
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
