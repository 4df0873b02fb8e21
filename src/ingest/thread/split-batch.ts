import { bitmapBytes } from '../../columns/bitmap.js';
import type { EntityType } from '../../model/entity.js';
import type { NewEntity, NewPoints, NewShape } from '../../store/store.js';
import type { ImportBatch } from '../importer.js';

/** Rows of a part, a multiple of eight so that validity bitmaps are cut between bytes. */
const MAX_ROWS = 4_096;
const MAX_ENTITIES = 500;
const MAX_SHAPES = 100;
const MAX_REJECTED = 1_000;

/**
 * A batch in parts that a thread with other work to do takes one at a time: together they are the batch. The entities and
 * shapes of a batch with a digest stay together, because the store may have them.
 */
export function* splitBatch(batch: ImportBatch): Generator<ImportBatch> {
  const { entities, shapes, points, rejected = [], ...rest } = batch;
  const whole = batch.digest === undefined ? undefined : { entities, shapes };
  if (whole === undefined) for (const part of splitContents(batch)) yield { ...part, read: 0 };
  yield { ...rest, ...whole, rejected: rejected.slice(0, MAX_REJECTED), read: rowsOf(batch) };
  for (let at = MAX_REJECTED; at < rejected.length; at += MAX_REJECTED)
    yield { rejected: rejected.slice(at, at + MAX_REJECTED), read: 0 };
  if (points === undefined) return;
  for (let from = 0; from < points.columns.length; from += MAX_ROWS)
    yield { points: slicePoints(points, from, Math.min(points.columns.length, from + MAX_ROWS)), read: 0 };
}

/** The rows of the whole batch, as an import counts them. */
function rowsOf({ read, points, rejected = [], notRead = new Map<string, number>() }: ImportBatch): number {
  if (read !== undefined) return read;
  const notUsed = rejected.reduce((sum, { values = 1 }) => sum + values, 0);
  return [...notRead.values()].reduce((sum, count) => sum + count, notUsed + (points?.columns.length ?? 0));
}

/** The entities and shapes of a batch in parts. */
export function* splitContents({
  entities = {},
  shapes = [],
}: Pick<ImportBatch, 'entities' | 'shapes'>): Generator<Pick<ImportBatch, 'entities' | 'shapes'>> {
  for (const [type, rows] of Object.entries(entities) as [EntityType, readonly NewEntity<EntityType>[]][])
    for (let at = 0; at < rows.length; at += MAX_ENTITIES)
      yield { entities: { [type]: rows.slice(at, at + MAX_ENTITIES) } };
  let part: NewShape[] = [];
  for (const shape of shapes) {
    if (part.push(shape) < MAX_SHAPES) continue;
    yield { shapes: part };
    part = [];
  }
  if (part.length > 0) yield { shapes: part };
}

/** Rows `from` to `to` (exclusive) with the series that they name, in memory of their own. */
function slicePoints({ series, columns, origin }: NewPoints, from: number, to: number): NewPoints {
  const numbers = columns.series.slice(from, to);
  const first = numbers.reduce((a, b) => Math.min(a, b), series.length);
  const last = numbers.reduce((a, b) => Math.max(a, b), 0);
  const bits = (bitmap: Uint8Array | null): Uint8Array | null =>
    bitmap?.slice(from / 8, from / 8 + bitmapBytes(to - from)) ?? null;
  return {
    series: series.slice(first, last + 1),
    columns: {
      length: to - from,
      series: numbers.map((number) => number - first),
      start_date: columns.start_date.slice(from, to),
      end_date: columns.end_date.slice(from, to),
      value: columns.value.slice(from, to),
      value_valid: bits(columns.value_valid),
      unit_id: columns.unit_id.slice(from, to),
      reporting_date: columns.reporting_date.slice(from, to),
      reporting_valid: bits(columns.reporting_valid),
      available_date: columns.available_date.slice(from, to),
      metadata: columns.metadata?.slice(from, to),
    },
    origin: origin && { file: origin.file.slice(from, to), line: origin.line.slice(from, to) },
  };
}

/** The memory of a part, which moves to another thread without a copy. */
export function memoryOf({ points }: ImportBatch): ArrayBuffer[] {
  if (points === undefined) return [];
  const arrays = [...Object.values(points.columns), ...Object.values(points.origin ?? {})];
  return arrays.filter((array) => ArrayBuffer.isView(array)).map(({ buffer }) => buffer as ArrayBuffer);
}
