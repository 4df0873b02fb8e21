import type * as v from 'valibot';
import type { Right } from '../model/access.js';

/** Where an operation is asked. */
export interface Address {
  readonly method: 'GET' | 'POST';
  /** Parameters are in braces, as in OpenAPI. */
  readonly path: string;
  /** True when the operation needs no access token. */
  readonly open?: boolean | undefined;
}

/** Where each operation is asked. */
export const addresses = {
  health: { method: 'GET', path: '/health', open: true },
  metrics: { method: 'GET', path: '/metrics' },
  accessToken: { method: 'POST', path: '/api-token', open: true },
  combinations: { method: 'GET', path: '/v2/entities/list' },
  searchAll: { method: 'GET', path: '/v2/search' },
  searchHits: { method: 'GET', path: '/v2/search/hits' },
  resolve: { method: 'GET', path: '/v2/resolve' },
  search: { method: 'GET', path: '/v2/search/{type}' },
  seriesList: { method: 'GET', path: '/v2/data_series/list' },
  seriesStream: { method: 'GET', path: '/v2/stream/data_series/list' },
  facets: { method: 'GET', path: '/v2/facets' },
  vintages: { method: 'GET', path: '/v2/vintages' },
  timeFrequencies: { method: 'GET', path: '/v2/available/time-frequencies' },
  rankedSources: { method: 'GET', path: '/v2/available/sources' },
  points: { method: 'GET', path: '/v2/data' },
  pointsBatch: { method: 'POST', path: '/v2/data' },
  chart: { method: 'GET', path: '/v2/chart.svg' },
  top: { method: 'GET', path: '/v2/top/{type}' },
  allowedUnits: { method: 'GET', path: '/v2/units/allowed' },
  geocentres: { method: 'GET', path: '/v2/geocentres' },
  geocode: { method: 'POST', path: '/v2/geocode' },
  areaWeighting: { method: 'POST', path: '/v2/area-weighting' },
  rasterWeighting: { method: 'GET', path: '/area-weighting' },
  descendants: { method: 'GET', path: '/v2/{type}/contains' },
  ancestors: { method: 'GET', path: '/v2/{type}/belongs-to' },
  entity: { method: 'GET', path: '/v2/{type}/{id}' },
  entities: { method: 'GET', path: '/v2/{type}' },
  importBegin: { method: 'POST', path: '/v2/imports' },
  importPart: { method: 'POST', path: '/v2/imports/{importId}/files/{position}' },
  importRun: { method: 'POST', path: '/v2/imports/{importId}/run' },
  importCancel: { method: 'POST', path: '/v2/imports/{importId}/cancel' },
  backupBegin: { method: 'POST', path: '/v2/backups' },
  backupPart: { method: 'POST', path: '/v2/backups/{backupId}/part' },
  backupDiscard: { method: 'POST', path: '/v2/backups/{backupId}/discard' },
} as const satisfies Record<string, Address>;

/** Returns the path of an operation with its parameters. */
export function pathOf({ path }: Address, values: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(values[key])));
}

/** A schema of an object with these fields. */
export interface ObjectSchema extends v.GenericSchema {
  readonly entries: v.ObjectEntries;
}

/** One operation of the service. `answer` is null when the answer is a stream instead of one JSON value. */
export interface Endpoint extends Address {
  readonly pathParameters?: ObjectSchema | undefined;
  readonly query?: ObjectSchema | undefined;
  readonly form?: ObjectSchema | undefined;
  readonly body?: v.GenericSchema | undefined;
  readonly answer: v.GenericSchema | null;
  /** Media types of a streamed answer, the preferred one last. */
  readonly streams?: readonly string[] | undefined;
  /** True when the body is bytes, which the operation reads itself. */
  readonly takesBytes?: boolean | undefined;
  /** The right that the access token must have; reading by default. */
  readonly right?: Right | undefined;
  /** True when the answer is about the service: where no token is needed to read, none is needed for it. */
  readonly withoutData?: boolean | undefined;
  /** True when an empty answer has status 204 and no body. */
  readonly emptyIs204?: boolean | undefined;
}
