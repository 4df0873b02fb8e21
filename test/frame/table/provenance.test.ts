import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../src/frame/build/long.js';
import { fromColumns } from '../../../src/frame/formats/from-rows.js';
import { frame } from '../../../src/frame/frame.js';
import { frameChecksum, withChecksum } from '../../../src/frame/table/checksum.js';
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

const tableOf = () =>
  longFrame(
    { series: [seriesOf()], runs: runsOf([{ series: 0, start: 0, end: 0, value: 1 }]) },
    { provenance: PROVENANCE },
  );

test('invalid provenance is read as null', () => {
  for (const text of ['', '{', 'null', '5', '"x"', '[]', '{"retrieved_at":1}']) {
    const table = withMetadata(
      tableOf(),
      new Map([
        [PROVENANCE_KEY, text],
        [DERIVED_KEY, text],
      ]),
    );
    expect(table.provenance).toBeNull();
    expect(derivationSteps(table)).toEqual([]);
  }
  expect(withMetadata(tableOf(), new Map()).provenance).toBeNull();
});

test('a step is appended, and the old checksum is removed', () => {
  const sealed = frame(withChecksum(tableOf()));
  expect([...frameMetadata(sealed).keys()].sort()).toEqual(['cropframe.checksum', 'cropframe.provenance']);
  const once = withMetadata(sealed, derivedMetadata(sealed, 'one'));
  const twice = withMetadata(once, derivedMetadata(once, 'two'));
  expect(derivationSteps(twice)).toEqual(['one', 'two']);
  expect([...frameMetadata(twice).keys()].sort()).toEqual(['cropframe.derived', 'cropframe.provenance']);
  expect(twice.provenance).toEqual(PROVENANCE);
});

test('keys of other software are not passed on', () => {
  const table = withMetadata(
    tableOf(),
    new Map([
      ['pandas', '{}'],
      [PROVENANCE_KEY, '{}'],
    ]),
  );
  expect([...frameMetadata(table).keys()]).toEqual([PROVENANCE_KEY]);
});

const frameOf = (provenance?: Provenance) => longFrame({ series: [seriesOf()], runs: [] }, { provenance });

const { unit_id: _, ...series } = seriesOf();
const entry = {
  series,
  rows: 1,
  outcome: 'data' as const,
  reason: null,
  truncated: false,
  from_cache: false,
};

describe('the metadata of a frame of several', () => {
  const [source] = PROVENANCE.sources;
  const [unit] = PROVENANCE.units;
  const later: Provenance = {
    request: { selections: [] },
    retrieved_at: '2025-01-01T00:00:00.000Z',
    api_host: 'https://example.org',
    sources: [source!, { ...source!, id: 6 }],
    units: [{ ...unit!, id: 10 }, unit!],
    report: [entry],
  };

  test('have all sources, units and reports once, and the earliest date of retrieval', () => {
    for (const tables of [
      [frameOf(later), frameOf(PROVENANCE)],
      [frameOf(later), frameOf(), frameOf(PROVENANCE), frameOf(later)],
    ]) {
      const merged = withMetadata(frameOf(), mergedMetadata(tables, 'concat()'));
      expect(merged.provenance).toEqual({
        request: [later.request, PROVENANCE.request],
        retrieved_at: PROVENANCE.retrieved_at,
        api_host: 'https://example.org, http://127.0.0.1:4666',
        sources: later.sources,
        units: later.units,
        report: [entry],
      });
    }
  });
});

describe('provenance', () => {
  test('is replaced, and what is none is refused by its part', () => {
    const other = { ...PROVENANCE, api_host: 'other', report: [entry] };
    const table = withMetadata(
      frameOf(PROVENANCE),
      new Map([...frameMetadata(frameOf(PROVENANCE)), ['kept', '1']]),
    );
    const changed = table.withProvenance(other);
    expect(changed.provenance).toEqual(other);
    expect(changed.schema.metadata.get('kept')).toBe('1');
    expect(table.provenance).toEqual(PROVENANCE);
    for (const part of ['retrieved_at', 'sources', 'units', 'report'])
      expect(() => table.withProvenance({ ...PROVENANCE, [part]: undefined } as never)).toThrow(
        `provenance.${part}: is missing`,
      );
    for (const entry of [null, 1, {}, { series: 'x' }])
      expect(() => table.withProvenance({ ...PROVENANCE, report: [entry] } as never)).toThrow(
        /^provenance\.report\[0\]: .* is not a report entry that contains its series/,
      );
    const unwritable = () => table.withProvenance({ ...PROVENANCE, request: { day: 5n } } as never);
    expect(unwritable).toThrow('provenance: it cannot be written as JSON');
    expect(unwritable).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }));
    expect(() => table.withProvenance(undefined as never)).toThrow('provenance: is missing');
    for (const [table, problem] of [
      [{}, 'an object is not an Arrow table'],
      [[], 'a list is not an Arrow table'],
      [undefined, 'is missing; it must be an Arrow table'],
    ] as const)
      expect(() => frame(table as never)).toThrow(`table: ${problem}`);
  });
});

describe('the checksum of a frame', () => {
  test('is that of its definition', () => {
    // Name, type and rows; the bitmap; the values, zero in null rows.
    const int = fromColumns({
      a: { type: 'int32', values: Int32Array.of(5, 7), valid: Uint8Array.of(0b11101) },
    });
    const hash = (...pieces: (string | Uint8Array)[]) => {
      const bytes = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
      return crypto.subtle
        .digest('SHA-256', bytes)
        .then((digest) => `sha256:${Buffer.from(digest).toString('hex')}`);
    };
    return Promise.all([
      hash('["a","int32",2]', Uint8Array.of(0b01), Uint8Array.of(5, 0, 0, 0, 0, 0, 0, 0)).then((expected) =>
        expect(frameChecksum(int)).toBe(expected),
      ),
      hash('["t","utf8",2]', Uint8Array.of(0b01), '["é",null]').then((expected) => {
        const text = fromColumns({ t: { type: 'utf8', values: ['é', null], valid: null } });
        expect(frameChecksum(text)).toBe(expected);
        const valid = Uint8Array.of(0b01);
        const coded = {
          type: 'dictionary' as const,
          values: Int32Array.of(1, 0),
          categories: ['x', 'é'],
          valid,
        };
        expect(frameChecksum(fromColumns({ t: coded }))).toBe(expected);
      }),
      hash('["t","utf8",0]').then((expected) =>
        expect(frameChecksum(fromColumns({ t: { type: 'utf8', values: [], valid: null } }))).toBe(expected),
      ),
    ]);
  });

  test('makes equal frames equal, whatever the numbers of their dictionaries', () => {
    const long = () =>
      longFrame(
        { series: [seriesOf()], runs: runsOf([{ series: 0, start: 0, end: 0, value: 1 }]) },
        { names: NAMES },
      );
    const ids = () =>
      withChecksum(long()).schema.fields.flatMap(({ type }) => ('id' in type ? [type.id] : []));
    expect(ids()).toEqual(ids());
    expect(new Set(ids()).size).toBe(7);
    const sealed = withChecksum(long());
    expect(sealed.schema.metadata.get('cropframe.checksum')).toBe(frameChecksum(long()));
    expect([...sealed.getChild('item_name')!]).toEqual(['Corn']);
  });
});
