import {
  Bool,
  type DataType,
  DateDay,
  DateMillisecond,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  RecordBatchStreamWriter,
  Schema,
  TimestampMicrosecond,
  TimestampMillisecond,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { PackedPoints } from '../../../src/columns/packed-points.js';
import { batchMetadata } from '../../../src/contract/series-stream/batch-metadata.js';
import { decodeSeriesStream } from '../../../src/contract/series-stream/decoder.js';
import type { SeriesStreamHead } from '../../../src/contract/series-stream/layout.js';
import { schemaMetadata } from '../../../src/contract/series-stream/schema.js';
import { MessageSealer } from '../../../src/contract/series-stream/sealed-messages.js';
import { writeRuns } from '../../../src/contract/series-stream/write-runs.js';
import { encoded, headOf, inPieces, rowsOf } from './points.js';

/** The head of a stream without optional columns. */
const HEAD: SeriesStreamHead = { ...headOf(2), withAvailableDate: false, withMetadata: false };

const RUN: PackedPoints = {
  series: 1,
  length: 3,
  start_date: { firstMs: 0, stepMs: 86_400_000 },
  end_date: null,
  value: Float64Array.of(1, 2, 3),
  value_valid: null,
  unit_id: 4,
  reporting_date: null,
};

interface Message {
  readonly metadata: Uint8Array;
  readonly body: readonly Uint8Array[];
}

const schema = (head = HEAD): Message => ({ metadata: schemaMetadata(head), body: [] });
const points = (...runs: PackedPoints[]): Message => writeRuns(runs, HEAD).finish();
const total = (text: string, key = 'cropframe.points'): Message => writeRuns([], HEAD).finish([key, text]);

/** Messages with the seals that they should have, and the mark of the end. */
function sealed(messages: readonly Message[], end = true): Uint8Array {
  const sealer = new MessageSealer();
  const parts = messages.flatMap(({ metadata, body }) => [sealer.seal(metadata, body), ...body]);
  return Buffer.concat(end ? [...parts, sealer.end()] : parts);
}

async function read(bytes: Uint8Array): Promise<string[]> {
  const { batches } = await decodeSeriesStream(inPieces(bytes, 777), 'points');
  const rows: string[] = [];
  for await (const runs of batches) rows.push(...rowsOf(runs));
  return rows;
}

/** What ends the stream of these messages. */
const refusal = (...messages: Message[]) => expect(read(sealed(messages))).rejects;

/** An error that tells a client to ask again. */
const damaged = (what: string) => ({
  damaged: true,
  message: `points: the point stream cannot be read: ${what}`,
});

describe('the messages of a stream by series', () => {
  it('are a schema, points, and their number', async () => {
    expect(await read(sealed([schema(), points(RUN), points(RUN, RUN), total('9')]))).toHaveLength(9);
    expect(await read(sealed([schema(), total('0')]))).toEqual([]);
  });

  it('begin with a schema, the only one', async () => {
    await refusal().toMatchObject(damaged('it is empty'));
    await refusal(points(RUN), total('3')).toMatchObject(damaged('it has no schema'));
    await refusal(schema(), schema(), total('0')).toMatchObject(damaged('a message has no points'));
  });

  it('end with the number of points', async () => {
    await refusal(schema(), points(RUN)).toMatchObject(damaged('it is truncated after 3 points'));
    await refusal(schema()).toMatchObject(damaged('it is truncated after 0 points'));
    await refusal(schema(), points(RUN), total('4')).toMatchObject(damaged('it has 3 points instead of 4'));
    await refusal(schema(), total('1')).toMatchObject(damaged('it has 0 points instead of 1'));
    await refusal(schema(), total('0', 'points')).toMatchObject(damaged('it has 0 points instead of NaN'));
    for (const more of [points(RUN), total('3')])
      await refusal(schema(), points(RUN), total('3'), more).toMatchObject(
        damaged('it goes on after its end'),
      );
  });

  it('end where they are cut off, within or between them', async () => {
    const cut = sealed([schema(), points(RUN), total('3')], false);
    await expect(read(cut)).rejects.toMatchObject(damaged('it is truncated'));
    await expect(read(cut.subarray(0, 5))).rejects.toMatchObject(damaged('it is truncated'));
    await expect(read(new Uint8Array(0))).rejects.toMatchObject(damaged('it is truncated'));
  });
});

describe('the list of series', () => {
  const listed = (series: unknown) => refusal(schema({ ...HEAD, series: series as never }), total('0'));

  it('has the ids of each, and a unit or null', async () => {
    const [first, second] = HEAD.series;
    const wrong = damaged('it has no list of series');
    await listed({}).toMatchObject(wrong);
    await listed(null).toMatchObject(wrong);
    for (const series of [
      null,
      { ...first, metric_id: undefined },
      { ...first, source_id: '3' },
      { ...first, region_id: 2 ** 53 },
      { ...first, unit_id: undefined },
      { ...first, unit_id: 1.5 },
    ])
      await listed([second, series]).toMatchObject(wrong);
    const { series } = await decodeSeriesStream(inPieces(sealed([schema(), total('0')]), 99), 'points');
    expect(series).toEqual([first, second]);
  });

  it('is in the metadata of the schema', async () => {
    await refusal(arrowSchema(new Schema(COLUMNS)), total('0')).toMatchObject(
      damaged('it has no list of series'),
    );
    await refusal(arrowSchema(new Schema(COLUMNS, new Map([['cropframe.series', '[']])))).toMatchObject({
      damaged: true,
    });
  });
});

const UTC = new TimestampMillisecond('UTC');
const list = (name: string, type: DataType, nulls = false, isNullable = true) =>
  new Field(name, new List(new Field('item', type, nulls)), isNullable);
const COLUMNS: Field[] = [
  new Field('series', new Uint32(), false),
  new Field('start_date', UTC, false),
  new Field('start_step_ms', new Int64(), true),
  list('start_days', new DateDay()),
  list('start_dates', UTC),
  new Field('end_date', UTC, true),
  new Field('end_step_ms', new Int64(), true),
  list('end_days', new DateDay()),
  list('end_dates', UTC),
  new Field('unit_id', new Int32(), true),
  list('unit_ids', new Int32(), true),
  new Field('reporting_date', UTC, true),
  list('reporting_dates', UTC, true),
  list('value', new Float64(), true, false),
];

/** The first message as Arrow itself writes it. */
function arrowSchema(schema: Schema): Message {
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  writer.finish();
  const stream = writer.toUint8Array(true);
  return { metadata: stream.slice(8, stream.byteLength - 8), body: [] };
}

describe('the columns', () => {
  const series = new Map([['cropframe.series', JSON.stringify(HEAD.series)]]);
  const withColumns = (columns: Field[]) => [arrowSchema(new Schema(columns, series)), total('0')] as const;
  const changed = (name: string, field: Field) =>
    withColumns(COLUMNS.map((column) => (column.name === name ? field : column)));

  it('are those of the layout, whoever wrote their schema', async () => {
    expect(await read(sealed(withColumns(COLUMNS)))).toEqual([]);
  });

  it('may have available dates and remarks, together or alone', async () => {
    for (const withAvailableDate of [false, true]) {
      for (const withMetadata of [false, true]) {
        const head = { ...HEAD, withAvailableDate, withMetadata };
        const run = {
          ...RUN,
          available_date: withAvailableDate ? 5 : undefined,
          metadata: withMetadata ? ['{}', null, '{}'] : undefined,
        };
        expect(await read(await encoded(head, [[run]]))).toEqual(rowsOf([run]));
      }
    }
  });

  it('have no other name, type, list, or place for nulls', async () => {
    const others = damaged('its columns are not those of a stream by series');
    for (const field of [
      new Field('unit', new Int32(), true),
      new Field('unit_id', new Int32(), false),
      new Field('unit_id', new Uint32(), true),
      new Field('unit_id', new Int64(), true),
      list('unit_id', new Int32()),
    ])
      await refusal(...changed('unit_id', field)).toMatchObject(others);
    await refusal(...changed('unit_ids', list('unit_ids', new Int32()))).toMatchObject(others);
    await refusal(...changed('value', list('value', new Float64(), false, false))).toMatchObject(others);
    await refusal(...withColumns(COLUMNS.slice(1))).toMatchObject(others);
    await refusal(...withColumns([...COLUMNS, new Field('more', new Int32(), true)])).toMatchObject(others);
    await refusal(...withColumns([])).toMatchObject(others);
  });

  it('have no type that the stream does not know', async () => {
    const unknown = damaged('a column has another type');
    for (const type of [
      new Uint64(),
      new Float32(),
      new DateMillisecond(),
      new TimestampMicrosecond('UTC'),
      new Bool(),
    ])
      await refusal(...changed('unit_id', new Field('unit_id', type, true))).toMatchObject(unknown);
    const coded = new Field('unit_id', new Dictionary(new Utf8(), new Int32()), true);
    await refusal(...changed('unit_id', coded)).toMatchObject(damaged('a column is dictionary-encoded'));
    const untyped = new Field(
      'unit_ids',
      Object.assign(new List(new Field('item', new Int32())), { children: [] }),
      true,
    );
    await refusal(...changed('unit_ids', untyped)).toMatchObject(damaged('a list has no type'));
  });

  it('are little-endian', async () => {
    const [first, last] = withColumns(COLUMNS);
    const view = new DataView(first.metadata.buffer);
    const at = bigEndianField(view);
    view.setInt16(at, 1, true);
    await refusal(first, last).toMatchObject(damaged('it is big-endian'));
  });
});

/** Where a schema says its byte order; its list of fields is made to say so, where the writer left it out. */
function bigEndianField(view: DataView): number {
  const message = view.getUint32(0, true);
  const header = message - view.getInt32(message, true);
  const at = message + view.getUint16(header + 8, true);
  const table = at + view.getUint32(at, true);
  const vtable = table - view.getInt32(table, true);
  // The reference to the metadata is not needed: its place holds the byte order.
  const place = view.getUint16(vtable + 8, true);
  view.setUint16(vtable + 4, place, true);
  view.setUint16(vtable + 8, 0, true);
  return table + place;
}

describe('the frame of a message', () => {
  const changed = (change: (view: DataView, bytes: Uint8Array) => void) => {
    const bytes = new Uint8Array(sealed([schema(), points(RUN), total('3')]));
    change(new DataView(bytes.buffer), bytes);
    return expect(read(bytes)).rejects;
  };

  it('begins with a mark and a length', async () => {
    const unmarked = damaged('a message has no continuation marker');
    await changed((view) => view.setUint32(0, 0xfffffffe, true)).toMatchObject(unmarked);
    await changed((view) => view.setInt32(4, -8, true)).toMatchObject(unmarked);
    await changed((view) => view.setInt32(4, 0x0400_0001, true)).toMatchObject(
      damaged('a length is out of bounds'),
    );
    await changed((view) => view.setInt32(4, 0x0400_0000, true)).toMatchObject(damaged('it is truncated'));
    // Too short for its seal.
    await changed((view) => view.setInt32(4, 4, true)).toMatchObject({ damaged: true });
  });

  it('ends with a seal', async () => {
    const { metadata } = schema();
    const seal = 8 + Math.ceil(metadata.byteLength / 8) * 8;
    await changed((view) => view.setUint8(seal, 0)).toMatchObject(damaged('a message has no checksum'));
    const unequal = damaged('a message does not match its checksum, or one is missing before it');
    await changed((view) => view.setUint8(seal + 4, view.getUint8(seal + 4) ^ 1)).toMatchObject(unequal);
    await changed((_, bytes) => {
      bytes[metadata.byteLength - 4]! ^= 1;
    }).toMatchObject(unequal);
  });

  it('has a body within bounds', async () => {
    const huge = {
      metadata: batchMetadata(0, 0x0400_0001, { nodes: [], buffers: [], note: null }),
      body: [],
    };
    await refusal(schema(), huge).toMatchObject(damaged('a length is out of bounds'));
  });

  it('may have a body of megabytes, from pieces of any size', async () => {
    const head = { ...HEAD, withMetadata: true };
    const text = 'é'.repeat(1_300_000);
    const run = { ...RUN, metadata: [text, null, `${text}!`] };
    const bytes = await encoded(head, [[run]]);
    for (const size of [100_000, 1_048_576, bytes.length]) {
      const { batches } = await decodeSeriesStream(inPieces(bytes, size), 'points');
      const texts: unknown[] = [];
      for await (const runs of batches) texts.push(...runs.flatMap(({ metadata }) => metadata));
      expect(texts).toEqual(run.metadata);
    }
  });
});

it('a reader who leaves, or is refused, cancels the body', async () => {
  const bytes = sealed([schema(), points(RUN), points(RUN), total('6')]);
  for (const leave of [true, false]) {
    let cancelled = false;
    const pieces = [leave ? bytes : sealed([schema(), schema()], false)];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces.shift();
          if (piece === undefined) controller.error(new Error('read beyond what it needs'));
          else controller.enqueue(piece);
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const { batches } = await decodeSeriesStream(body, 'points');
    const reading = async () => {
      for await (const _ of batches) break;
    };
    if (leave) await reading();
    else await expect(reading()).rejects.toMatchObject({ damaged: true });
    expect(cancelled).toBe(true);
  }
});
