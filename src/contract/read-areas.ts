import * as z from 'zod';
import { envelope } from './shapes.js';

// What a client requires of the answers beyond the base, as `reading.ts` says it of the others.

const id = z.int();
const idOrNull = id.nullish().transform((given) => given ?? null);
const readableId = id.nullable().catch(null);
const readableText = z.string().nullable().catch(null);
const readableNumber = z.number().nullable().catch(null);
const optionalNumber = z.number().optional().catch(undefined);
const optionalInt = z.int().optional().catch(undefined);
const optionalIds = z.array(id).optional().catch(undefined);

/** The regions that contain places: an id that cannot be read could be any region, so it is refused. */
export const geocodedPlaces = envelope(
  z.array(
    z.object({
      latitude: optionalNumber,
      longitude: optionalNumber,
      l5_id: idOrNull,
      l5_name: readableText,
      l4_id: idOrNull,
      l4_name: readableText,
      l3_id: idOrNull,
      l3_name: readableText,
      station_id: readableId,
      station_name: readableText,
      station_km: readableNumber,
    }),
  ),
);

const description = z.object({
  item_id: id,
  metric_id: id,
  frequency_id: id,
  unit_id: readableId,
  source_id: id,
});

/** A weighted series: its values and their times are needed, and what was weighted. */
export const weightedSeries = z.object({
  data_points: z.array(
    z.object({
      value: z.number().nullable(),
      timestamp: z.int(),
      available_timestamp: z.int().nullable().catch(null),
      start_timestamp: optionalInt,
      weight_present: optionalNumber,
    }),
  ),
  series_description: description,
  weights_description: z.array(description),
  regions_without_data: optionalIds,
  regions_without_weight: optionalIds,
});
