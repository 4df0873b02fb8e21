import * as z from 'zod';
import { date, flag, id, ids } from '../parameters.js';

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

/** What the public Python client sends and this service does not need. */
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

const pointFlags = {
  startDate: date.optional(),
  endDate: date.optional(),
  showReportingDate: flag
    .optional()
    .meta({ description: 'return every reporting date of a period, not only the latest' }),
  showRevisions: flag.optional().meta({ description: 'older name of showReportingDate' }),
  showHistory: flag.optional().meta({ description: 'return every vintage of a period' }),
  showAvailableDate: flag.optional(),
  showMetaData: flag.optional(),
  insertNull: flag.optional().meta({
    description: `add a null point for each period without data; at most ${MAX_FILLED_PERIODS} periods a series (400)`,
  }),
  atTime: date.optional().meta({ description: 'use only vintages that were available at this time' }),
  availableSince: date
    .optional()
    .meta({ description: 'return only vintages that became available on or after this time' }),
  includeHistorical: flag
    .optional()
    .meta({ description: 'include historical regions of the selection; default true' }),
  unitId: id
    .optional()
    .meta({ description: 'convert every value to this unit; units of another dimension are refused (400)' }),
};

/** One selection of series and what to return of their points. */
export const pointsQuery = z.object({
  ...selection,
  partnerRegionId: ids.optional(),
  ...pointFlags,
  ...ignoredParameters,
});
export type PointsQuery = z.output<typeof pointsQuery>;

const idOrIds = z.union([id, ids]).transform((given) => (typeof given === 'number' ? [given] : given));

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
