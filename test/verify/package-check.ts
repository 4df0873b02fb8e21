import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Packs the built package, installs the tarball into an empty project, imports every entry point there, compiles a
 * program against its types, and runs its command: what a user gets, and nothing that only the repository has. Imports
 * and the quickstart run under the newest Node too.
 */
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string;
  exports: Record<string, unknown>;
  bin: Record<string, string>;
};
const entries = Object.keys(manifest.exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => manifest.name + path.slice(1));

/** What a production install may take on disk; 25 MB of it draw charts. */
const MAX_INSTALL_BYTES = 165e6;

/** Degree days of the quickstart's first season, as in `test/journeys/quickstart.test.ts`. */
const SEATTLE_2012 = 998.65;

const folder = mkdtempSync(join(tmpdir(), 'cropframe-package-'));
try {
  const tarball = pack();
  install(tarball);
  for (const entry of entries) console.log(`import ${entry}: ${countNames(process.execPath, entry)} names`);
  compileAgainstTypes();
  Object.keys(manifest.bin).forEach(runCommand);
  checkNewestNode();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

interface ExecuteOptions {
  readonly cwd?: string;
  /** `pipe` shows it only with the error of a program that fails. */
  readonly stderr?: 'inherit' | 'pipe';
}

function execute(program: string, args: readonly string[], options: ExecuteOptions = {}): string {
  const { cwd = folder, stderr = 'inherit' } = options;
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', stderr] });
}

function pack(): string {
  execute('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder], {
    cwd: process.cwd(),
  });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack left no tarball');
  console.log(`packed ${tarball}: ${megabytes(statSync(join(folder, tarball)).size)}`);
  return tarball;
}

function install(tarball: string): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const started = performance.now();
  execute('npm', [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    `./${tarball}`,
  ]);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const bytes = folderBytes(join(folder, 'node_modules'));
  console.log(`installed: ${megabytes(bytes)} in ${seconds} s`);
  if (bytes > MAX_INSTALL_BYTES) {
    throw new Error(`an install takes ${megabytes(bytes)}, at most ${megabytes(MAX_INSTALL_BYTES)}`);
  }
}

function countNames(node: string, entry: string): number {
  const program = `const names = Object.keys(await import(${JSON.stringify(entry)}));
    if (names.includes('default')) throw new Error('it has a default export');
    console.log(names.length);`;
  return Number(execute(node, ['--input-type=module', '--eval', program]));
}

/** The newest Node runs TypeScript by itself, so that the quickstart needs nothing that is not in the package. */
function checkNewestNode(): void {
  const node = resolve('test', 'newest-node', 'node_modules', '.bin', 'node');
  if (!existsSync(node)) {
    console.log('newest Node: npm has none for this machine');
    return;
  }
  console.log(`newest Node: ${execute(node, ['--version']).trim()}`);
  for (const entry of entries) countNames(node, entry);
  console.log(`import: ${entries.length} entry points`);
  copyFileSync(join('notebooks', 'quickstart.ts'), join(folder, 'quickstart.ts'));
  const output = execute(node, ['quickstart.ts', '--json'], { stderr: 'pipe' });
  const results = JSON.parse(output) as {
    growing_degree_days: { total: number }[];
  };
  const totals = results.growing_degree_days.map(({ total }) => total);
  if (totals.length !== 8 || Math.abs(totals[0]! - SEATTLE_2012) > 1e-6) {
    throw new Error(`the quickstart computed other degree days: ${totals.join(', ')}`);
  }
  console.log(`quickstart: ${totals.length} seasons, ${totals[0]!.toFixed(2)} degree days in the first`);
}

function compileAgainstTypes(): void {
  const imports = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
  const uses = entries.map((_, i) => `typeof entry${i}`);
  writeFileSync(
    join(folder, 'use.ts'),
    [...imports, `export type All = [${uses.join(', ')}];`, `export const first: object = entry0;`].join(
      '\n',
    ),
  );
  const tsc = resolve('node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--module', 'NodeNext', '--target', 'ES2023', '--strict', '--skipLibCheck', '--noEmit'];
  const types = ['--types', 'node', '--typeRoots', resolve('node_modules', '@types')];
  execute(process.execPath, [tsc, ...options, ...types, 'use.ts']);
  console.log('types: a program that imports them all compiles');
}

function runCommand(name: string): void {
  const help = execute(join(folder, 'node_modules', '.bin', name), ['--help']);
  if (!help.includes(name)) throw new Error(`${name} --help does not name the command:\n${help}`);
  console.log(`${name} --help: ${help.trim().split('\n').length} lines`);
}

function folderBytes(path: string): number {
  const entriesIn = readdirSync(path, { recursive: true, withFileTypes: true });
  return entriesIn
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
