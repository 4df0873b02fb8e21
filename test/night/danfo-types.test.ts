import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Filled by `npm ci --prefix test/danfo`. */
const folder = fileURLToPath(new URL('../danfo', import.meta.url));

describe('the published types', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const project = mkdtempSync(join(tmpdir(), 'cropframe-danfo-types-'));
  const packages = join(project, 'node_modules');
  const strict = ['--strict', '--target', 'ES2023', '--lib', 'ES2023,DOM', '--types', 'node'];
  const modes = [
    ['--module', 'NodeNext'],
    ['--module', 'ESNext', '--moduleResolution', 'Bundler'],
  ];

  function compile(...args: string[]): string {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, ...args], { cwd: project, encoding: 'utf8' }).stdout;
  }

  function compileUse(lines: readonly string[], ...args: string[]): string[] {
    writeFileSync(join(project, 'use.ts'), [USE, ...lines].join('\n'));
    return modes.map((mode) => compile('use.ts', '--noEmit', ...strict, ...mode, ...args));
  }

  beforeAll(() => {
    mkdirSync(join(packages, '@types'), { recursive: true });
    for (const name of ['apache-arrow', 'flatbuffers', 'undici-types', 'tslib', '@types/node'])
      symlinkSync(join(root, 'node_modules', name), join(packages, name));
    writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
    const build = join(root, 'tsconfig.build.json');
    const printed = compile('-p', build, '--emitDeclarationOnly', '--outDir', join(project, 'types'));
    expect(printed).toBe('');
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  test('without danfojs-node, a frame has the fields of ours', () => {
    const printed = compileUse(
      [
        'export const isOurs: Same<typeof frame, DanfoFrameFields> = true;',
        '// @ts-expect-error there is no such method',
        "frame.groupby(['item_name']);",
      ],
      '--skipLibCheck',
      'false',
    );
    expect(printed).toEqual(['', '']);
  });

  test('with danfojs-node, a frame is its DataFrame', () => {
    symlinkSync(join(folder, 'node_modules/danfojs-node'), join(packages, 'danfojs-node'));
    const printed = compileUse(
      [
        "import * as danfo from 'danfojs-node';",
        'export const isDanfos: Same<typeof frame, danfo.DataFrame> = true;',
        'const given = await toDanfo(table, { danfo });',
        'export const isModules: Same<typeof given, danfo.DataFrame> = true;',
        "export const means: danfo.DataFrame = frame.groupby(['item_name']).mean();",
        '// @ts-expect-error rows are numbers of rows',
        'frame.iloc({ rows: true });',
      ],
      '--skipLibCheck',
    );
    expect(printed).toEqual(['', '']);
  });
});

const USE = `
import type { Table } from 'apache-arrow';
import { toDanfo } from '../frame/formats/types/frame/formats/danfo-node.js';
import type { DanfoFrameFields } from '../frame/formats/types/frame/formats/danfo.js';
declare const table: Table;
const frame = await toDanfo(table);
class Mine { readonly rows = 1; }
export const mine: Mine = await toDanfo(table, { danfo: { DataFrame: Mine } });
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
`;
