import { FIELDS } from '../../model/arguments/fields.js';
import { FLAG_KEYS, QUERY_KEYS } from '../wire-names.js';

/** The meaning of a parameter or a field that has no text of its own in the schemas, by its name. */
export function fieldText(name: string): string | undefined {
  const [, entity, kind] =
    /^(metric|item|region|partner_region|source|frequency|unit)_(id|name)$/.exec(name) ?? [];
  if (name === 'partner_region_id') return 'id of the partner region; 0 is the world';
  if (entity !== undefined) return `${kind} of the ${entity.replace('_', ' ')}`;
  return PARAMETER_TEXTS[name] ?? PARAMETER_TEXTS[name.replace(/s$/, '')] ?? TEXTS[name];
}

/** The meanings of the parameters of operations, by their names on the wire. */
const PARAMETER_TEXTS: Readonly<Record<string, string | undefined>> = Object.fromEntries(
  Object.entries({ ...QUERY_KEYS, ...FLAG_KEYS }).map(([name, key]) => [
    key,
    FIELDS[name as keyof typeof FIELDS].meaning,
  ]),
);

const TEXTS: Readonly<Record<string, string | undefined>> = {
  ids: 'ids of entities',
  id: 'id of the entity',
  region_ids: 'ids of the regions',
  start_date: 'first date',
  end_date: 'last date',
  date: 'ISO 8601, UTC',
  q: 'words of a name, a synonym or a code; the last one may be unfinished',
  type: 'type of the entities',
  entity_type: 'type of the entity',
  name: 'name of the entity',
  limit: 'maximum number of results',
  n: 'maximum number of results',
  value: 'the sum',
  series: 'the series',
  metrics: 'values of the metric, with the most series first, then by name',
  items: 'values of the item',
  regions: 'values of the region',
  partner_regions: 'values of the partner region of trade; 0 is the world',
  sources: 'values of the source',
  frequencies: 'values of the frequency',
  includeGeojson: 'return shapes too',
  zoom: 'detail of shapes: simple below 6, full from 6 on',
  reqRegionLevelId: 'return all descendants of this level: country 3, province 4, district 5',
  stringify: 'return shapes as JSON text; false returns objects',
  data: 'the answer',
  available_dates: 'available dates, ascending',
  reporting_dates: 'reporting dates, ascending; vintages without one are not counted',
  latitude: 'degrees north',
  longitude: 'degrees east',
  l3_name: 'name of the country',
  l4_name: 'name of the province',
  l5_name: 'name of the district',
  belongsTo: 'the ids that were asked for',
  includesHistoricalRegion: 'whether the region exists only in historical data',
  includesHistoricalPartnerRegion: 'whether the partner region exists only in historical data',
  includes_historical_region: 'whether a region of it exists only in historical data',
  data_points: 'a value for each period',
  series_description: 'what was weighted, with its unit',
  weights_description: 'what weighed it, with units',
  centre: 'latitude and longitude in degrees',
  regionName: 'name of the region',
  email: 'email of the user',
  password: 'password of the user',
  accessToken: 'send it as `authorization: Bearer …`',
  status: '`ok`',
  engine: 'engine of the store',
  store_version: 'changes with every import',
  error: 'kind of the error, for programs',
  message: 'what is wrong, and what to do',
  importId: 'id of the import',
  backupId: 'id of the backup',
  dataset: 'data set, such as nass',
  files: 'files, in the order in which they are sent',
  settings: 'settings of the data set',
  bytes: 'length in bytes',
  maxRejectedShare: 'the import fails when more than this share of the rows is rejected; default 0.05',
  maxConflicts: 'the import fails when more rows than this contradict each other; default 0.1 % of all rows',
  cancelled: 'true',
  weight_names: 'names of rasters, which this service does not hold: always 400',
  metadata: 'remarks',
};
