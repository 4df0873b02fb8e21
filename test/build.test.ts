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
  write('package.json', '{ "type": "module", "exports": { ".": "./dist/index.js" } }');
  write('package-lock.json', '{}');
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "module": "NodeNext", "lib": ["ES5"], "types": [], "strict": true } }',
  );
  write(
    'tsconfig.build.json',
    '{ "extends": "./tsconfig.json", "compilerOptions": { "rootDir": "src", "outDir": "dist", "declaration": true, "emitDeclarationOnly": true }, "include": ["src"] }',
  );
  write('src/index.ts', "export { crop } from './room/crop.js';\n");
  write('src/room/crop.ts', "export const crop = 'maize';\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the build', () => {
  it('compiles once, and again only when what it compiles has changed', async () => {
    expect(await buildPackage(root)).toBe(true);
    expect(readFileSync(built('index.js'), 'utf8')).toContain('maize');
    expect(await buildPackage(root)).toBe(false);

    utimesSync(join(root, 'src/index.ts'), new Date(), new Date());
    expect(await buildPackage(root)).toBe(false);
    write('src/room/crop.ts', "export const crop = 'wheat';\n");
    expect(await buildPackage(root)).toBe(true);
    expect(readFileSync(built('index.js'), 'utf8')).toContain('wheat');
  });

  it('follows the configuration, the lock and what is missing on either side', async () => {
    write('src/room/old.ts', 'export const old = true;\n');
    await buildPackage(root);
    for (const path of ['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json']) {
      write(path, `${readFileSync(join(root, path), 'utf8')}\n`);
      expect(await buildPackage(root)).toBe(true);
    }
    for (const path of ['index.js', 'room/crop.d.ts']) {
      rmSync(built(path));
      expect(await buildPackage(root)).toBe(true);
      expect(existsSync(built(path))).toBe(true);
    }
    rmSync(join(root, 'src/room/old.ts'));
    expect(await buildPackage(root)).toBe(true);
    expect(existsSync(built('room/old.d.ts'))).toBe(false);
  });

  it('gives all entry points and commands the same classes, by their names', async () => {
    write(
      'package.json',
      `{ "type": "module", "bin": { "sow": "./dist/cli/sow.js" },
        "exports": { ".": { "types": "./dist/index.d.ts", "default": "./dist/index.js" }, "./more": "./dist/more.js" } }`,
    );
    write('src/room/crop.ts', 'export class Crop { static sown(): Crop { return new Crop(); } }\n');
    write('src/index.ts', "export { Crop } from './room/crop.js';\n");
    write('src/more.ts', "import { Crop } from './room/crop.js';\nexport const sown: Crop = Crop.sown();\n");
    mkdirSync(join(root, 'src/cli'));
    write('src/cli/sow.ts', "#!/usr/bin/env node\nimport { Crop } from '../index.js';\nnew Crop();\n");
    await buildPackage(root);
    const { Crop } = await import(built('index.js'));
    const { sown } = await import(built('more.js'));
    expect(sown).toBeInstanceOf(Crop);
    expect(Crop.name).toBe('Crop');
    expect(readFileSync(built('cli/sow.js'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(existsSync(built('room/crop.js'))).toBe(false);
  });

  it('bundles the packages of many files with their licences, and no other package', async () => {
    write(
      'package.json',
      '{ "type": "module", "exports": { ".": "./dist/index.js" }, "dependencies": { "zod": "4", "p-limit": "7" } }',
    );
    write(
      'src/index.ts',
      "import limit from 'p-limit';\nimport * as z from 'zod';\nexport const [some, shape] = [limit(1), z.string()];\n",
    );
    const config = readFileSync(join(root, 'tsconfig.json'), 'utf8');
    write(
      'tsconfig.json',
      config.replace('["ES5"]', '["ES2023", "DOM"]').replace('{ "', '{ "skipLibCheck": true, "'),
    );
    await buildPackage(root);
    const imported = [...readFileSync(built('index.js'), 'utf8').matchAll(/^import .* from "(.*)";$/gm)];
    expect(imported.map(([, name]) => name)).toEqual(['p-limit']);
    expect(readFileSync(built('licenses/zod.txt'), 'utf8')).toContain('MIT License');
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
