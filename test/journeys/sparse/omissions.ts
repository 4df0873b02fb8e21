import type { Fetch } from '../../../src/client/sending/send.js';
import { json } from '../../client/answering.js';

/** How a field is left out: not sent, sent as null, or sent as another type. */
export const WAYS = ['away', 'null', 'odd'] as const;

/** A field that a client can do without, where it is, and how it is left out. */
export interface Omission {
  /** Paths of the operations whose answers have the field. */
  readonly path: RegExp;
  readonly field: string;
  readonly how: (typeof WAYS)[number];
  /** Leaves the field out of some objects only, which the seed decides; of all without it. */
  readonly seed?: number | undefined;
}

const ENTITY = /^\/v2\/(metrics|items|regions|frequencies|sources|units)(\/\d+)?$/;
const POINTS = /^\/v2\/data$/;

/** The fields that a client can do without, by the path of the operation. */
const OPTIONAL: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    ENTITY,
    [
      ...['name', 'definition', 'contains', 'belongsTo', 'level', 'latitude', 'longitude', 'historical'],
      ...['abbrev', 'periodLength', 'days', 'longName', 'licence', 'citation', 'url'],
      ...['abbreviation', 'namePlural', 'baseConvFactor', 'factor', 'offset', 'dimension'],
    ],
  ],
  [
    /^\/v2\/data_series\/list$/,
    [
      ...['metric_name', 'item_name', 'region_name', 'partner_region_name', 'frequency_name', 'source_name'],
      ...['start_date', 'end_date', 'metadata', 'data_count_estimate'],
    ],
  ],
  [/^\/v2\/entities\/list$/, ['metric_name', 'item_name', 'region_name', 'source_name']],
  [/^\/v2\/search\/\w+$/, ['name', 'exact']],
  [/^\/v2\/available\/time-frequencies$/, ['startDate', 'endDate', 'name']],
  [/^\/v2\/top\/\w+$/, ['unitId', 'value']],
  [/^\/v2\/geocentres$/, ['centre', 'regionName', 'geojson']],
  [
    /^\/v2\/geocode$/,
    [
      ...['latitude', 'longitude', 'station_id', 'station_name', 'station_km'],
      ...['l3_name', 'l4_name', 'l5_name'],
    ],
  ],
  [
    /^\/v2\/area-weighting$/,
    [
      ...['available_timestamp', 'start_timestamp', 'weight_present', 'unit_id'],
      ...['regions_without_data', 'regions_without_weight'],
    ],
  ],
  [
    POINTS,
    [
      ...['metricId', 'itemId', 'regionId', 'partnerRegionId', 'frequencyId', 'sourceId'],
      ...['unitId', 'belongsTo', 'metadata', 'includesHistoricalRegion'],
    ],
  ],
];

/** The positions of a point after its value. */
const POSITIONS = ['3', '4', '5', '6'];

/** Null says that there is none, of a unit and of a shape. */
const SAYS_NONE = ['4', 'geojson'];

/** Every optional field, left out in every way. */
export const OMISSIONS: readonly Omission[] = [...OPTIONAL, [POINTS, POSITIONS] as const]
  .flatMap(([path, fields]) => fields.flatMap((field) => WAYS.map((how) => ({ path, field, how }))))
  .filter(({ field, how }) => how !== 'null' || !SAYS_NONE.includes(field));

/** A service that leaves these fields out of its answers. */
export function sparseService(service: Fetch, omissions: readonly Omission[]): Fetch {
  return async (request) => {
    const response = await service(request);
    const { pathname } = new URL(request.url);
    const here = omissions.filter(({ path }) => path.test(pathname)).sort(positionsFirst);
    if (response.status !== 200 || here.length === 0) return response;
    return json(here.reduce<unknown>((body, one) => without(body, one, pathname), await response.json()));
  };
}

function positionsFirst(a: Omission, b: Omission): number {
  return Number(POSITIONS.includes(b.field)) - Number(POSITIONS.includes(a.field));
}

function without(value: unknown, omission: Omission, place: string): unknown {
  if (Array.isArray(value)) {
    if (isPoint(value)) return pointWithout(value, omission, place);
    return (value as unknown[]).map((one, at) => without(one, omission, `${place}/${at}`));
  }
  if (typeof value !== 'object' || value === null) return value;
  if (cutsUnits(omission) && hasOtherUnits(value)) return value;
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    if (name !== omission.field || isKept(omission, place))
      return [[name, without(inner, omission, `${place}/${name}`)]];
    return omission.how === 'away' ? [] : [[name, omission.how === 'null' ? null : odd(inner)]];
  });
  return Object.fromEntries(fields);
}

function cutsUnits({ field, how }: Omission): boolean {
  return how === 'away' && (field === '3' || field === '4');
}

/** A point without a unit has that of its series: a service leaves it out only where it has. */
function hasOtherUnits(block: { series?: { unitId?: unknown }; data?: unknown }): boolean {
  const { series, data } = block;
  return Array.isArray(data) && data.some((point) => isPoint(point) && point[4] !== series?.unitId);
}

function isPoint(value: unknown): value is readonly unknown[] {
  return (
    Array.isArray(value) && value.length > 3 && typeof value[0] === 'string' && typeof value[1] === 'string'
  );
}

/** Positions are left out from the end: a point without its unit is without all after it. */
function pointWithout(point: readonly unknown[], omission: Omission, place: string): unknown {
  const position = Number(omission.field);
  if (!Number.isInteger(position) || position >= point.length || isKept(omission, place)) return point;
  if (omission.how === 'away') return point.slice(0, position);
  return point.with(position, omission.how === 'null' ? null : odd(point[position]));
}

function odd(value: unknown): unknown {
  return typeof value === 'number' || value === null ? 'odd' : 12.5;
}

function isKept({ seed, field }: Omission, place: string): boolean {
  if (seed === undefined) return false;
  let hash = seed;
  for (const letter of `${field} ${place}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return ((hash ^ (hash >>> 15)) & 1) === 1;
}
