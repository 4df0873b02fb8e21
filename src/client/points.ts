import { convertUnits } from '../compute/units.js';
import { ARROW_STREAM } from '../contract/endpoints.js';
import { decodePointStream } from '../contract/point-decoder.js';
import { decodeSeriesBlocks } from '../contract/series-blocks.js';
import { seriesBlock } from '../contract/shapes.js';
import { ArgumentError, ContractError } from '../model/errors.js';
import {
  type DataPoint,
  isValid,
  type PointColumns,
  type PointFlags,
  type PointSet,
} from '../model/point.js';
import type { Selection } from '../model/selection.js';
import { formatTime } from '../model/time.js';
import type { EntityOperations } from './entities.js';
import { toFlagQuery, toQuery } from './query.js';
import { readingBody, readJsonBody, type Transport } from './transport.js';

/** A retrieval: which series, which of their points, and in which unit. */
export interface PointRequest extends Selection, PointFlags {
  /** Every point is converted to this unit. */
  unit_id?: number;
  signal?: AbortSignal | undefined;
}

const REQUIRED = ['metric_id', 'item_id', 'region_id', 'source_id', 'frequency_id'] as const;

/** Retrieval: points as objects, or as columns for those who compute. */
export function pointOperations(transport: Transport, entities: Pick<EntityOperations, 'lookupList'>) {
  /**
   * Points of the selected series as columns, one batch a batch of the wire.
   * @throws ArgumentError when a required id is missing; the errors of the transport
   */
  async function getPointSet(request: PointRequest): Promise<PointSet> {
    const missing = REQUIRED.find((field) => request[field] === undefined);
    if (missing !== undefined) throw new ArgumentError(missing, `${missing}: is required to retrieve points`);
    const query = { ...toQuery(request), ...toFlagQuery(request), responseType: 'list_of_series' };
    const call = { query, accept: `${ARROW_STREAM}, application/json;q=0.5`, signal: request.signal };
    const points = await transport.read('points', call, readPointSet);
    return request.unit_id === undefined ? points : toUnit(points, request.unit_id, request.signal);
  }

  /** Every point converted to one unit. @throws UnitError when a unit is not convertible */
  async function toUnit(points: PointSet, unit_id: number, signal?: AbortSignal): Promise<PointSet> {
    const used = new Set(points.batches.flatMap((columns) => [...new Set(columns.unit_id)]));
    if (used.size === 0) return points;
    return convertUnits(points, unit_id, await entities.lookupList('units', [...used, unit_id], { signal }));
  }

  async function getDataPoints(request: PointRequest): Promise<DataPoint[]> {
    return toDataPoints(await getPointSet(request));
  }

  return { getPointSet, getDataPoints, toUnit };
}

export type PointOperations = ReturnType<typeof pointOperations>;

async function readPointSet(response: Response): Promise<PointSet> {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes(ARROW_STREAM)) return readBlocks(await readJsonBody('points', response));
  return readingBody('points', async () => {
    const { series, batches } = await decodePointStream(response.body!, 'points');
    const arrived: PointColumns[] = [];
    for await (const columns of batches) arrived.push(columns);
    return { series, batches: arrived };
  });
}

function readBlocks(value: unknown): PointSet {
  const result = seriesBlock.array().safeParse(value);
  if (result.success) return decodeSeriesBlocks(result.data, 'points');
  const issue = result.error.issues[0]!;
  throw new ContractError(
    'points',
    `points: the answer does not fit the contract at ${issue.path.join('.')}: ${issue.message}`,
  );
}

/** The points of a set as objects with the specification's fields. */
export function toDataPoints({ series, batches }: PointSet): DataPoint[] {
  return batches.flatMap((columns) =>
    Array.from({ length: columns.length }, (_, i) => {
      const { unit_id: _unit, ...key } = series[columns.series[i]!]!;
      const { metric_id, item_id, region_id, partner_region_id, frequency_id, source_id } = key;
      return {
        start_date: formatTime(Number(columns.start_date[i])),
        end_date: formatTime(Number(columns.end_date[i])),
        value: isValid(columns.valueValid, i) ? columns.value[i]! : null,
        unit_id: columns.unit_id[i]!,
        reporting_date: isValid(columns.reportingValid, i)
          ? formatTime(Number(columns.reporting_date[i]))
          : null,
        metric_id,
        item_id,
        region_id,
        partner_region_id,
        frequency_id,
        source_id,
        ...(columns.available_date ? { available_date: formatTime(Number(columns.available_date[i])) } : {}),
        ...(columns.metadata ? { metadata: readMetadata(columns.metadata[i] ?? null) } : {}),
        belongs_to: { metric_id, item_id, region_id, frequency_id, source_id },
      };
    }),
  );
}

function readMetadata(text: string | null): Record<string, unknown> | null {
  return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
}
