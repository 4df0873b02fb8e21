import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findCycles } from './architecture/cycles.js';
import { isDataset, ROOMS, type Room } from './architecture/rooms.js';
import { checkArchitecture } from './architecture/rules.js';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

function readTree(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.tsx?$/.test(path));
  return new Map(paths.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}

function check(files: Record<string, string>): string[] {
  return checkArchitecture(new Map(Object.entries(files)));
}

/** A tree that breaks no rule, for one rule at a time to be broken in. */
const SOUND = {
  'model/time.ts': 'export const DAY_MS = 86_400_000;',
  'model/point.ts': "import { DAY_MS } from './time.js';\nexport const WEEK_MS = 7 * DAY_MS;",
  'store/store.ts':
    "import type { WEEK_MS } from '../model/point.js';\nexport interface Store { w: typeof WEEK_MS }",
  'store/duckdb/points.ts':
    "import { DuckDBInstance } from '@duckdb/node-api';\nimport type { Store } from '../store.js';\n" +
    'export const open = (): [Store, typeof DuckDBInstance] => [{ w: 7 }, DuckDBInstance];',
  'frame/table/frame-table.ts': 'export const createTable = 1;',
  'frame/table/names.ts': 'export const NAMES = [];',
  'frame/display/grid.ts': "import { NAMES } from '../table/names.js';\nexport const grid = NAMES;",
  'client/client.ts': "import type { Table } from 'apache-arrow';\nexport type Answer = Table;",
  'create-client.ts':
    "import type { Answer } from './client/client.js';\nexport const createClient = (): Answer[] => [];",
  'index.ts': "export { createClient } from './create-client.js';",
  'explorer/page.tsx': "import 'preact';\nexport const Page = () => <p />;",
  'explorer/main.tsx': "import './page.js';\nimport './page.css';",
  'cli/main.ts': "import { createClient } from '../create-client.js';\nimport 'node:fs';\ncreateClient();",
};

describe('src', () => {
  const tree = readTree(SRC);

  it('holds files', () => {
    expect(tree.size).toBeGreaterThan(10);
  });

  it('keeps to the room table and the rules of form', () => {
    expect(checkArchitecture(tree)).toEqual([]);
  });
});

type Row = (name: string, room: Room) => readonly string[];

/** The pages that show the table of rooms, each with its columns. */
const PAGES: Readonly<Record<string, { readonly head: readonly string[]; readonly row: Row }>> = {
  'CONTRIBUTING.md': {
    head: ['room', 'purpose', 'shelves'],
    row: (name, { about, shelves = {} }) => [`**${name}**`, about, shelfList(shelves)],
  },
  'docs/dev/architecture.md': {
    head: ['room', 'may import'],
    row: (name, { imports }) => [`**${name}**`, imports.join(', ') || '–'],
  },
};

/** Shelves with their purposes. Those of data sets have one line. */
function shelfList(shelves: NonNullable<Room['shelves']>): string {
  const shelfNames = Object.keys(shelves);
  const datasets = shelfNames.filter(isDataset).map((shelf) => `\`${shelf}\``);
  const others = shelfNames.filter((shelf) => !isDataset(shelf));
  const lines = others.map((shelf) => `\`${shelf}\`: ${shelves[shelf]}`);
  if (datasets.length > 0) lines.push(`one for each data set: ${datasets.join(', ')}`);
  return lines.join('<br>');
}

function showTable({ head, row }: (typeof PAGES)[string]): string {
  const lines = [
    head,
    head.map(() => '---'),
    ...Object.entries(ROOMS).map(([name, room]) => row(name, room)),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

describe('the room table', () => {
  it('lists the shelves that there are', () => {
    for (const [room, { shelves = {} }] of Object.entries(ROOMS)) {
      if (room === 'root') continue;
      const entries = readdirSync(join(SRC, room), { withFileTypes: true });
      const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
      expect(Object.keys(shelves).sort(), room).toEqual(folders.sort());
    }
  });

  it.each(Object.entries(PAGES))('is the one that %s shows (vitest -u renews it)', async (page, columns) => {
    const path = fileURLToPath(new URL(`../${page}`, import.meta.url));
    const marks = /(<!-- rooms -->\n)[\s\S]*(<!-- end of rooms -->)/;
    const shown = readFileSync(path, 'utf8').replace(
      marks,
      (_, begin, end) => `${begin}${showTable(columns)}\n${end}`,
    );
    await expect(shown).toMatchFileSnapshot(path);
  });

  it('lets data flow one way: rooms import one another in no circle', () => {
    expect(findCycles(new Map(Object.entries(ROOMS).map(([room, { imports }]) => [room, imports])))).toEqual(
      [],
    );
  });
});

describe('the checker', () => {
  it('finds nothing in a sound tree', () => {
    expect(check(SOUND)).toEqual([]);
  });

  it.each<[rule: string, path: string, text: string, message: RegExp]>([
    [
      'a room that reaches upwards',
      'model/a.ts',
      "import { open } from '../store/duckdb/points.js';\nexport const b = open;",
      /^src\/model\/a\.ts:1: imports "\.\.\/store\/duckdb\/points\.js": room model may not import room store/,
    ],
    [
      'a shelf that may not import another of its room',
      'frame/build/long.ts',
      "import '../table/names.js';\nimport '../display/grid.js';",
      /^src\/frame\/build\/long\.ts:2: .*shelf frame\/build may not import shelf frame\/display \(it may import: frame\/table\)$/,
    ],
    [
      'a package of another room',
      'model/a.ts',
      "import { z } from 'zod';\nexport const b = z;",
      /room model may not import package zod$/,
    ],
    [
      'an engine outside its folder',
      'store/a.ts',
      "import '@duckdb/node-api';\nexport const b = 1;",
      /package @duckdb\/node-api outside of src\/store\/duckdb\/,/,
    ],
    [
      'an import without .js',
      'model/a.ts',
      "import { DAY_MS } from './time';\nexport const b = DAY_MS;",
      /end in \.js/,
    ],
    [
      'a circle',
      'model/time.ts',
      "import type { WEEK_MS } from './point.js';\nexport const DAY_MS: typeof WEEK_MS = 1;",
      /^src\/model\/point\.ts → src\/model\/time\.ts → src\/model\/point\.ts: imports go round/,
    ],
    ['a default export', 'model/a.ts', 'export default function b() {}', /model\/a\.ts:1: default exports/],
    ['a barrel', 'model/a.ts', "export { DAY_MS } from './time.js';", /barrel/],
  ])('refuses %s', (_rule, path, text, message) => {
    const violations = check({ ...SOUND, [path]: text });
    expect(violations).toHaveLength(1);
    expect(violations[0]).toMatch(message);
  });
});
