import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildPackage } from '../build.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SCRIPT = join(ROOT, 'build.ts');

let root: string;
const write = (path: string, content: string): void => writeFileSync(join(root, path), content);
const built = (path: string): string => join(root, 'dist', path);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cropframe-build-'));
  mkdirSync(join(root, 'src/room'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "NodeNext", "lib": ["ES5"], "types": [], "strict": true } }',
  );
  write(
    'tsconfig.build.json',
    '{ "extends": "./tsconfig.json", "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"] }',
  );
  write('src/index.ts', "export { crop } from './room/crop.js';\n");
  write('src/room/crop.ts', "export const crop = 'maize';\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the build', () => {
  it('compiles once, and again only when what it compiles has changed', async () => {
    expect(await buildPackage(root)).toBe(true);
    expect(readFileSync(built('room/crop.js'), 'utf8')).toContain('maize');
    expect(await buildPackage(root)).toBe(false);

    utimesSync(join(root, 'src/index.ts'), new Date(), new Date());
    expect(await buildPackage(root)).toBe(false);
    write('src/room/crop.ts', "export const crop = 'wheat';\n");
    expect(await buildPackage(root)).toBe(true);
    expect(readFileSync(built('room/crop.js'), 'utf8')).toContain('wheat');
  });

  it('follows the configuration, the lock and what is missing on either side', async () => {
    write('src/room/old.ts', 'export const old = true;\n');
    await buildPackage(root);
    for (const path of ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json']) {
      write(path, `${readFileSync(join(root, path), 'utf8')}\n`);
      expect(await buildPackage(root)).toBe(true);
    }
    rmSync(built('room/crop.js'));
    expect(await buildPackage(root)).toBe(true);
    expect(existsSync(built('room/crop.js'))).toBe(true);
    rmSync(join(root, 'src/room/old.ts'));
    expect(await buildPackage(root)).toBe(true);
    expect(existsSync(built('room/old.js'))).toBe(false);
  });

  it('bundles the page with what it imports of the package, and again when that changes', async () => {
    mkdirSync(join(root, 'src/explorer'));
    write('src/explorer/index.html', '<!doctype html><script type="module" src="./main.tsx"></script>');
    write('src/explorer/main.tsx', "import { crop } from '../index.js';\ndocument.title = crop;\n");
    write(
      'vite.config.ts',
      "export default { root: 'src/explorer', base: './', build: { outDir: '../../dist/explorer' } };\n",
    );
    const config = readFileSync(join(root, 'tsconfig.build.json'), 'utf8');
    write('tsconfig.build.json', config.replace('"include"', '"exclude": ["src/explorer"], "include"'));
    const script = (): string => {
      const [, path = ''] =
        /src="\.\/([^"]+)"/.exec(readFileSync(built('explorer/index.html'), 'utf8')) ?? [];
      return readFileSync(built(`explorer/${path}`), 'utf8');
    };
    expect(await buildPackage(root)).toBe(true);
    expect(script()).toContain('maize');
    expect(existsSync(built('explorer/main.js'))).toBe(false);
    expect(await buildPackage(root)).toBe(false);

    write('src/room/crop.ts', "export const crop = 'wheat';\n");
    expect(await buildPackage(root)).toBe(true);
    expect(script()).toContain('wheat');
    write('src/explorer/main.tsx', "import { crop } from '../gone.js';\ndocument.title = crop;\n");
    await expect(buildPackage(root)).rejects.toThrow(/gone\.js/);
  });

  it('says what the compiler says, every time until it is mended', async () => {
    write('src/room/crop.ts', "export const crop: number = 'maize';\n");
    for (let i = 0; i < 2; i++) await expect(buildPackage(root)).rejects.toThrow(/crop\.ts.*TS2322/);
    write('src/room/crop.ts', 'export const crop = 1;\n');
    expect(await buildPackage(root)).toBe(true);
  });

  it('is done once where several processes ask for it', async () => {
    const program = `import { buildPackage } from ${JSON.stringify(SCRIPT)};
      console.log(await buildPackage(${JSON.stringify(root)}));`;
    const argv = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program];
    const runs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, argv)));
    expect(runs.map(({ stdout }) => stdout.trim()).sort()).toEqual(['false', 'false', 'true']);
    expect(existsSync(join(root, 'dist.lock'))).toBe(false);
  });

  it('does not wait for a process that died while it built', async () => {
    const dead = await promisify(execFile)(process.execPath, ['-p', 'process.pid']);
    write('dist.lock', dead.stdout.trim());
    expect(await buildPackage(root)).toBe(true);
  });
});
