import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';
import { frameChecksum, withChecksum } from '../../../src/frame/table/checksum.js';
import type { AnyColumn } from '../../../src/frame/table/columns.js';
import {
  DERIVED_KEY,
  derivationSteps,
  derivedMetadata,
  frameMetadata,
  mergedMetadata,
  PROVENANCE_KEY,
  withMetadata as tableWithMetadata,
} from '../../../src/frame/table/provenance.js';
import type { Provenance } from '../../../src/model/provenance.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../points.js';

const withMetadata = (...changed: Parameters<typeof tableWithMetadata>) =>
  frame(tableWithMetadata(...changed));

const frameOf = (provenance?: Provenance, names?: typeof NAMES) =>
  longFrame(
    { series: [seriesOf()], runs: runsOf([{ series: 0, start: 0, end: 0, value: 1 }]) },
    { provenance, names },
  );

const { unit_id: _, ...series } = seriesOf();
const entry = {
  ...{ series, rows: 1, outcome: 'data' as const, reason: null },
  ...{ truncated: false, from_cache: false },
};

test.each(['', '{', 'null', '5', '"x"', '[]', '{"retrieved_at":1}'])(
  'invalid provenance is read as null: %s',
  (text) => {
    const keys = [PROVENANCE_KEY, DERIVED_KEY].map((key) => [key, text] as const);
    const table = withMetadata(frameOf(PROVENANCE), new Map(keys));
    expect([table.provenance, derivationSteps(table)]).toEqual([null, []]);
  },
);

test('a step is appended, and the old checksum is removed', () => {
  const sealed = frame(withChecksum(frameOf(PROVENANCE)));
  expect([...frameMetadata(sealed).keys()].sort()).toEqual(['cropframe.checksum', 'cropframe.provenance']);
  const once = withMetadata(sealed, derivedMetadata(sealed, 'one'));
  const twice = withMetadata(once, derivedMetadata(once, 'two'));
  expect(derivationSteps(twice)).toEqual(['one', 'two']);
  expect([...frameMetadata(twice).keys()].sort()).toEqual(['cropframe.derived', 'cropframe.provenance']);
  expect(twice.provenance).toEqual(PROVENANCE);
});

test('keys of other software are not passed on', () => {
  const table = withMetadata(frameOf(), new Map([...[['pandas', '{}']], [PROVENANCE_KEY, '{}']] as never));
  expect([...frameMetadata(table).keys()]).toEqual([PROVENANCE_KEY]);
});

test('a frame of several has all sources, units and reports once, and the earliest date of retrieval', () => {
  const [[source], [unit]] = [PROVENANCE.sources, PROVENANCE.units];
  const later: Provenance = {
    request: { selections: [] },
    retrieved_at: '2025-01-01T00:00:00.000Z',
    api_host: 'https://example.org',
    sources: [source!, { ...source!, id: 6 }],
    units: [{ ...unit!, id: 10 }, unit!],
    report: [entry],
  };
  const tables = [frameOf(later), frameOf(), frameOf(PROVENANCE), frameOf(later)];
  expect(withMetadata(frameOf(), mergedMetadata(tables, 'concat()')).provenance).toEqual({
    ...later,
    request: [later.request, PROVENANCE.request],
    retrieved_at: PROVENANCE.retrieved_at,
    api_host: 'https://example.org, http://127.0.0.1:4666',
  });
});

describe('provenance', () => {
  test('is replaced, and other metadata stay', () => {
    const table = frameOf(PROVENANCE);
    const kept = withMetadata(table, new Map([...frameMetadata(table), ['kept', '1']]));
    const changed = kept.withProvenance({ ...PROVENANCE, api_host: 'other' });
    expect(changed.provenance).toEqual({ ...PROVENANCE, api_host: 'other' });
    expect(changed.schema.metadata.get('kept')).toBe('1');
    expect(kept.provenance).toEqual(PROVENANCE);
  });

  test.each<[unknown, RegExp]>([
    [undefined, /^provenance: is missing/],
    [{ ...PROVENANCE, retrieved_at: undefined }, /^provenance\.retrieved_at: is missing/],
    [{ ...PROVENANCE, sources: undefined }, /^provenance\.sources: is missing/],
    [{ ...PROVENANCE, units: undefined }, /^provenance\.units: is missing/],
    [{ ...PROVENANCE, report: undefined }, /^provenance\.report: is missing/],
  ])('that is none is refused by its part: %o', (given, message) => {
    expect(() => frameOf().withProvenance(given as never)).toThrow(message);
  });

  test.each([null, 1, {}, { series: 'x' }])('with the report entry %o is refused', (one) => {
    expect(() => frameOf().withProvenance({ ...PROVENANCE, report: [one] } as never)).toThrow(
      /^provenance\.report\[0\]: .* is not a report entry that contains its series/,
    );
  });

  test('that cannot be written as JSON is refused with the cause', () => {
    const unwritable = () => frameOf().withProvenance({ ...PROVENANCE, request: { day: 5n } } as never);
    expect(unwritable).toThrow(/^provenance: the provenance cannot be written as JSON/);
    expect(unwritable).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }));
  });

  test.each([
    [{}, 'an object is not an Arrow table'],
    [[], 'a list is not an Arrow table'],
    [undefined, 'is missing; it must be an Arrow table'],
  ])('is read of a table, not of %o', (table, problem) => {
    expect(() => frame(table as never)).toThrow(`table: ${problem}`);
  });
});

describe('the checksum of a frame', () => {
  const valid = Uint8Array.of(0b11101);
  const text = { type: 'utf8', values: ['é', null], valid: null } as const;
  const coded = { type: 'dictionary', values: Int32Array.of(1, 0), categories: ['x', 'é'], valid } as const;

  // Name, type and rows; the bitmap; the values, zero in null rows.
  test.each<[string, AnyColumn, (string | Uint8Array)[]]>([
    [
      'integers',
      { type: 'int32', values: Int32Array.of(5, 7), valid },
      ['["a","int32",2]', Uint8Array.of(0b01), Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0)],
    ],
    ['texts', text, ['["a","utf8",2]', Uint8Array.of(0b01), '["é",null]']],
    ['codes', coded, ['["a","utf8",2]', Uint8Array.of(0b01), '["é",null]']],
    ['nothing', { ...text, values: [] }, ['["a","utf8",0]']],
  ])('is that of its definition: %s', async (_, a, pieces) => {
    const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
    expect(frameChecksum(fromColumns({ a }))).toBe(`sha256:${digest}`);
  });

  test('makes equal frames equal, whatever the numbers of their dictionaries', () => {
    const long = () => frameOf(undefined, NAMES);
    const idsOf = () =>
      withChecksum(long()).schema.fields.flatMap(({ type }) => ('id' in type ? [type.id] : []));
    expect(idsOf()).toEqual(idsOf());
    expect(new Set(idsOf()).size).toBe(7);
    expect(withChecksum(long()).schema.metadata.get('cropframe.checksum')).toBe(frameChecksum(long()));
  });
});
