import * as z from 'zod';
import { FIELDS, POINT_FLAGS } from '../../model/arguments/fields.js';
import type { PointFlags } from '../../model/point.js';
import { date, flag, id, ids, parameter } from '../parameters.js';
import { FLAG_KEYS } from '../wire-names.js';

/** Maximum number of series whose points one request may select. */
export const MAX_SERIES_PER_REQUEST = 10_000;

/** Maximum number of periods of one series whose gaps are filled. */
export const MAX_FILLED_PERIODS = 100_000;

const selection = {
  metricId: ids,
  itemId: ids,
  regionId: ids,
  partnerRegionId: ids,
  sourceId: ids,
  frequencyId: ids,
};

const ignored = z.string().optional().meta({ description: 'sent by other clients; has no effect' });

/** Parameters of the public Python client that this service does not need. */
const ignoredParameters = { responseType: ignored, coverageThreshold: ignored, chunkSize: ignored };

/** A selection of series; any field may be absent. */
export const selectionQuery = z.object({ ...selection, ...ignoredParameters }).partial();

/** A selection and dates, with the plural names that ranking uses. */
export const rankingQuery = z
  .object({
    metricIds: ids,
    itemIds: ids,
    regionIds: ids,
    partnerRegionIds: ids,
    sourceIds: ids,
    frequencyIds: ids,
    startDate: date,
    endDate: date,
  })
  .partial();

type WireFlag<Name extends keyof PointFlags> =
  NonNullable<PointFlags[Name]> extends string ? typeof date : typeof flag;

type WireFlags = {
  [Name in keyof typeof FLAG_KEYS as (typeof FLAG_KEYS)[Name]]: z.ZodOptional<WireFlag<Name>>;
};

/** The flags of a request for points: names and meanings follow from those of the client. */
const clientFlags = Object.fromEntries(
  Object.entries(FLAG_KEYS).map(([name, key]) => {
    const check = POINT_FLAGS[name as keyof PointFlags];
    return [key, parameter<unknown>(check).optional().meta({ description: check.meaning })];
  }),
) as WireFlags;

const pointFlags = {
  ...clientFlags,
  insertNull: clientFlags.insertNull.meta({
    description: `${POINT_FLAGS.insert_null.meaning}; at most ${MAX_FILLED_PERIODS} periods a series (400)`,
  }),
  unitId: id.optional().meta({
    description: `${FIELDS.unit_id.meaning}; units of another dimension are refused (400)`,
  }),
};

/** One selection of series, and the flags of their points. */
export const pointsQuery = z.object({
  ...selection,
  partnerRegionId: ids.optional(),
  ...pointFlags,
  ...ignoredParameters,
});
export type PointsQuery = z.output<typeof pointsQuery>;

const idOrIds = z.union([id, ids]).transform((value) => (typeof value === 'number' ? [value] : value));

/** Many selections in one request, each with its own flags. */
export const pointsBody = z
  .array(
    z.strictObject({
      ...pointFlags,
      metricId: idOrIds,
      itemId: idOrIds,
      regionId: idOrIds,
      partnerRegionId: idOrIds.optional(),
      sourceId: idOrIds,
      frequencyId: idOrIds,
    }),
  )
  .min(1)
  .max(MAX_SERIES_PER_REQUEST);

/** Entities and how far to follow containment from them. */
export const containmentQuery = z.object({
  ids,
  distance: z.int().min(-1).max(100).optional().meta({ description: 'maximum number of steps; -1 for all' }),
  level: z.int().min(1).max(9).optional().meta({
    description: 'level of regions to return; for regions only, and ignored when distance is given',
  }),
  includeHistorical: flag.optional(),
});
