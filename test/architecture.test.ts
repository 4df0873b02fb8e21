import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ENTRY_FILES, ROOMS } from './architecture/rooms.js';
import { checkArchitecture, findCycle } from './architecture/rules.js';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const PATHS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path))
  .sort();

const pathOf = (page: string): string => fileURLToPath(new URL(`../${page}`, import.meta.url));

describe('src', () => {
  it('imports only what the room table allows, and without cycles', () => {
    expect(PATHS.length).toBeGreaterThan(500);
    const tree = new Map(PATHS.map((path) => [path, readFileSync(join(SRC, path), 'utf8')]));
    expect(checkArchitecture(tree)).toEqual([]);
  });

  it('has no file directly in it but the entry points, and no name without a meaning', () => {
    expect(PATHS.filter((path) => !path.includes('/'))).toEqual(Object.keys(ENTRY_FILES).sort());
    expect(PATHS.filter((path) => /\b(utils?|helpers?|common|managers?)\b/.test(path))).toEqual([]);
  });

  it('lets rooms import one another in no cycle', () => {
    expect(
      findCycle(new Map(Object.entries(ROOMS).map(([room, imports]) => [room, imports.split(' ')]))),
    ).toBe(null);
  });
});

describe('CONTRIBUTING.md', () => {
  it('lists the rooms and the shelves that there are', () => {
    const rows = readFileSync(pathOf('CONTRIBUTING.md'), 'utf8').matchAll(
      /^\| \*\*(\w+)\*\* \| .+ \| (.*) \|$/gm,
    );
    const listed = [...rows].map(([, room, shelves]) => [
      room,
      [...shelves!.matchAll(/(?:^|<br>)`([\w-]+)`/g)].map(([, shelf]) => shelf).sort(),
    ]);
    const found = Object.keys(ROOMS).map((room) => {
      if (room === 'root') return [room, []];
      const entries = readdirSync(join(SRC, room), { withFileTypes: true });
      return [room, entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort()];
    });
    expect(listed).toEqual(found);
  });
});

describe('the checker', () => {
  const SOUND = {
    'model/time.ts': 'export const DAY_MS = 86_400_000;',
    'model/point.ts': "import { DAY_MS } from './time.js';\nexport const WEEK_MS = 7 * DAY_MS;",
    'store/duckdb/points.ts': "import { DuckDBInstance } from '@duckdb/node-api';\nimport 'node:fs';",
    'client/client.ts': "import type { Table } from 'apache-arrow';\nexport type Answer = Table;",
    'index.ts': "export { createClient } from './create-client.js';",
    'explorer/main.tsx': "import './page.js';\nimport './page.css';\nimport 'preact';",
    'explorer/page.tsx': "import type { WEEK_MS } from '../model/point.js';",
  };

  it.each<[rule: string, path: string, text: string, message: RegExp | null]>([
    ['nothing in a sound tree', 'model/a.ts', '', null],
    ['a room that reaches upwards', 'model/a.ts', "import '../store/a.js';", /model may not import store/],
    [
      'a type import upwards',
      'model/a.ts',
      "import type { A } from '../store/a.js';",
      /model may not import/,
    ],
    ['an imported type', 'model/a.ts', "type A = import('../store/a.js').A;", /model may not import store/],
    ['a lazy import', 'model/a.ts', "const a = await import('../store/a.js');", /model may not import store/],
    [
      'a shelf of another',
      'frame/build/a.ts',
      "import '../display/a.js';",
      /frame\/build may not import frame\/d/,
    ],
    ['an entry file', 'sql.ts', "export * from './index.js';", /sql\.ts may not import index\.ts/],
    ['a file outside of src', 'cli/a.ts', "import '../../test/a.js';", /cli may not import \.\./],
    ['a room that is not listed', 'new/a.ts', "import '../model/a.js';", /does not list new/],
    ['a package of another room', 'model/a.ts', "import 'hono';", /package hono is for service\//],
    ['an engine outside its folder', 'store/a.ts', "import '@duckdb/node-api';", /is for store\/duckdb\//],
    [
      'a package that may give types',
      'client/a.ts',
      "import { Table } from 'apache-arrow';",
      /apache-arrow is/,
    ],
    ['Node in a browser', 'frame/a.ts', "import 'node:fs';", /package node is for/],
    [
      'a cycle of types',
      'model/time.ts',
      "import type { W } from './point.js';",
      /time\.ts → model\/point\.ts → /,
    ],
    ['a cycle in TSX', 'explorer/page.tsx', "import './main.js';", /form a cycle/],
  ])('finds %s', (_rule, path, text, message) => {
    const violations = checkArchitecture(new Map(Object.entries({ ...SOUND, [path]: text })));
    expect(violations).toEqual(message === null ? [] : [expect.stringMatching(message)]);
  });
});
