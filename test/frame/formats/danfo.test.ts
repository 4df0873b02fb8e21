import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { wideFrame } from '../../../src/frame/build/wide.js';
import { loadDanfo, toDanfo } from '../../../src/frame/formats/danfo-node.js';
import { ArgumentError } from '../../../src/model/errors.js';
import { batchOf, NAMES, seriesOf } from '../points.js';

const folder = fileURLToPath(new URL('../../danfo', import.meta.url));
const installed = existsSync(`${folder}/node_modules/danfojs-node`);
if (!installed) console.log('skipped: danfojs-node is not installed; run npm ci --prefix test/danfo');

const POINTS = {
  series: [seriesOf(), seriesOf({ region_id: 6 })],
  batches: [
    batchOf([
      { series: 0, start: '1969-01-01', end: '1969-12-31', value: 1.5, reporting: '1970-02-03' },
      { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
      { series: 1, start: '2001-01-01', end: '2001-12-31', value: 4 },
    ]),
  ],
};

/** The part of Danfo's objects that the tests use. */
interface Frame {
  shape: [number, number];
  dtypes: string[];
  columns: string[];
  values: unknown[][];
  column(name: string): { values: unknown[]; mean(): number; sum(): number; isNa(): { values: boolean[] } };
}

describe.skipIf(!installed)('toDanfo', () => {
  const danfoOf = async (table: Parameters<typeof toDanfo>[0]) =>
    (await toDanfo(table, { danfo: await loadDanfo([folder]) })) as unknown as Frame;

  test('has the shape, names and types of the frame', async () => {
    const frame = await danfoOf(longFrame(POINTS, { names: NAMES }));
    expect(frame.shape).toEqual([3, 18]);
    expect(frame.columns.slice(0, 5)).toEqual([
      'start_date',
      'end_date',
      'value',
      'unit_id',
      'reporting_date',
    ]);
    expect(frame.dtypes.slice(0, 5)).toEqual(['datetime', 'datetime', 'float32', 'int32', 'datetime']);
    expect(frame.column('region_name').values).toEqual(['Iowa', 'Iowa', "Côte d'Ivoire"]);
  });

  test('null is NaN, not 0, in values and in what Danfo computes', async () => {
    const value = (await danfoOf(longFrame(POINTS))).column('value');
    expect(value.values).toEqual([1.5, Number.NaN, 4]);
    expect(value.isNa().values).toEqual([false, true, false]);
    expect(value.mean()).toBe(2.75);
  });

  test('dates are Date objects, and a null date is null', async () => {
    const frame = await danfoOf(longFrame(POINTS));
    expect(frame.column('end_date').values[0]).toEqual(new Date('1969-12-31T00:00:00Z'));
    expect(frame.column('reporting_date').isNa().values).toEqual([false, true, true]);
  });

  test('converts wide frames and frames without rows', async () => {
    const wide = await danfoOf(wideFrame(POINTS, { names: NAMES }));
    expect(wide.shape).toEqual([2, 3]);
    expect(wide.values[1]!.slice(1)).toEqual([Number.NaN, 4]);
    const empty = await danfoOf(longFrame({ series: [], batches: [] }));
    expect(empty.columns).toHaveLength(11);
  });
});

const elsewhere = await loadDanfo().then(
  () => true,
  () => false,
);
if (elsewhere)
  console.log('skipped: danfojs-node is installed beside cropframe, so its absence cannot be tried');

test.skipIf(elsewhere)('without danfojs-node the message says how to install it', async () => {
  const loading = toDanfo(longFrame(POINTS));
  await expect(loading).rejects.toThrow(ArgumentError);
  await expect(loading).rejects.toThrow(/"@tensorflow\/tfjs-node": "npm:@tensorflow\/tfjs@4\.22\.0"/);
});

describe('the published types', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
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
  }, 120_000);
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
  }, 120_000);

  test.skipIf(!installed)(
    'with danfojs-node, a frame is its DataFrame',
    () => {
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
    },
    120_000,
  );
});

const USE = `
import type { Table } from 'apache-arrow';
import { toDanfo } from './types/frame/formats/danfo-node.js';
import type { DanfoFrameFields } from './types/frame/formats/danfo.js';
declare const table: Table;
const frame = await toDanfo(table);
class Mine { readonly rows = 1; }
export const mine: Mine = await toDanfo(table, { danfo: { DataFrame: Mine } });
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
`;
