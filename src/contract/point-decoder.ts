import { type Data, type RecordBatch, RecordBatchReader } from 'apache-arrow';
import { ContractError } from '../model/errors.js';
import type { PointColumns } from '../model/point.js';
import { pointsChecksum, textChecksum } from './checksum.js';
import { CHECKSUM_KEY, ROWS_KEY, SERIES_KEY } from './point-stream.js';
import type { BlockSeries } from './series-blocks.js';

/** A point stream being read: its series are known at once, its batches come as they arrive. */
export interface DecodedPointStream {
  readonly series: readonly BlockSeries[];
  readonly batches: AsyncIterable<PointColumns>;
}

/**
 * Decodes a point stream as it arrives. The batches end normally only when the stream was whole and undamaged.
 * @throws ContractError when the stream is cut short, damaged, or not a point stream
 */
export async function decodePointStream(
  bytes: ReadableStream<Uint8Array>,
  endpoint: string,
): Promise<DecodedPointStream> {
  const reader = await whole(endpoint, async () => {
    const opened = await RecordBatchReader.from(bytes as AsyncIterable<Uint8Array>);
    return await opened.open();
  });
  const seriesText = reader.schema?.metadata.get(SERIES_KEY);
  if (seriesText === undefined) throw damaged(endpoint, 'it does not say which series it holds');
  const series = await whole(endpoint, async () => JSON.parse(seriesText) as BlockSeries[]);
  return { series, batches: checkedBatches(reader, endpoint, { seriesText, count: series.length }) };
}

async function* checkedBatches(
  reader: AsyncIterable<RecordBatch>,
  endpoint: string,
  head: { seriesText: string; count: number },
): AsyncGenerator<PointColumns, void, undefined> {
  const batches = reader[Symbol.asyncIterator]();
  let rows = 0;
  let complete = false;
  try {
    while (true) {
      const next = await whole(endpoint, () => batches.next());
      if (next.done === true) break;
      const declared = next.value.metadata.get(ROWS_KEY);
      if (declared !== undefined) {
        checkTrailer(next.value, endpoint, { rows, seriesText: head.seriesText });
        complete = true;
        continue;
      }
      const columns = pointColumns(next.value, endpoint);
      checkBatch(next.value, columns, endpoint);
      rows += columns.length;
      yield columns;
    }
  } finally {
    await batches.return?.();
  }
  if (!complete) throw damaged(endpoint, `it was cut short after ${rows} points`);
}

function checkBatch(batch: RecordBatch, columns: PointColumns, endpoint: string): void {
  if (batch.metadata.get(CHECKSUM_KEY) === String(pointsChecksum(columns))) return;
  throw damaged(endpoint, 'a batch does not fit its checksum');
}

function checkTrailer(
  batch: RecordBatch,
  endpoint: string,
  seen: { rows: number; seriesText: string },
): void {
  const sameHead = batch.metadata.get(CHECKSUM_KEY) === String(textChecksum(seen.seriesText));
  if (batch.metadata.get(ROWS_KEY) === String(seen.rows) && sameHead) return;
  throw damaged(endpoint, `it announced ${batch.metadata.get(ROWS_KEY)} points and brought ${seen.rows}`);
}

function pointColumns(batch: RecordBatch, endpoint: string): PointColumns {
  const column = (name: string): Data => {
    const data = batch.getChild(name)?.data[0];
    if (data === undefined) throw damaged(endpoint, `the column ${name} is missing`);
    return data;
  };
  const available = batch.getChild('available_date')?.data[0];
  const metadata = batch.getChild('metadata');
  const value = column('value');
  const reporting = column('reporting_date');
  return {
    length: batch.numRows,
    series: column('series').values as Uint32Array,
    start_date: column('start_date').values as BigInt64Array,
    end_date: column('end_date').values as BigInt64Array,
    value: value.values as Float64Array,
    valueValid: validity(value),
    unit_id: column('unit_id').values as Int32Array,
    reporting_date: reporting.values as BigInt64Array,
    reportingValid: validity(reporting),
    ...(available === undefined ? {} : { available_date: available.values as BigInt64Array }),
    ...(metadata === null ? {} : { metadata: [...(metadata as Iterable<string | null>)] }),
  };
}

function validity(data: Data): Uint8Array | null {
  return data.nullCount === 0 || data.nullBitmap.byteLength === 0 ? null : data.nullBitmap;
}

async function whole<Result>(endpoint: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof ContractError || isTransportFailure(error)
      ? error
      : damaged(endpoint, String(error), error);
  }
}

/** Aborts and broken connections are told by the transport in its own words. */
function isTransportFailure(error: unknown): boolean {
  return error instanceof DOMException || (error instanceof TypeError && error.message === 'terminated');
}

function damaged(endpoint: string, what: string, cause?: unknown): ContractError {
  const message = `${endpoint}: the point stream cannot be read: ${what}`;
  return new ContractError(endpoint, message, cause === undefined ? undefined : { cause });
}
