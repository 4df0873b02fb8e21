import * as v from 'valibot';
import { RETRY_KEYS, type RequestAttempt, type RetryPolicy } from '../http/retries.js';
import { badArgument, RuntimeError } from '../model/errors.js';
import { checkOptions, type OptionsOf, optionsOf } from '../model/schema/check.js';
import type { ArgumentsOf } from '../model/schema/operation.js';
import { functionOf, integer, TEXT } from '../model/schema/schemas.js';
import { type AreaWeightingOperations, areaWeightingOperations } from './area-weighting.js';
import { type ContainmentOperations, containmentOperations } from './containment.js';
import { type FindOperations, findOperations } from './discovery/find-series.js';
import { type SeriesRankingOperations, seriesRankingOperations } from './discovery/rank-series.js';
import { type EntityLists, type EntityOperations, entityOperations } from './entities.js';
import { type FacetOperations, facetOperations } from './facets.js';
import { type GeographyOperations, geographyOperations } from './geography.js';
import { type AnswerCache, CACHE_KEYS, type CacheOptions } from './http/answer-cache.js';
import { readHost } from './http/host.js';
import type { Fetch } from './http/request.js';
import { createTransport, type Transport } from './http/transport.js';
import { type PointOperations, type PointSets, pointOperations } from './points/points.js';
import { type SeriesPointSource, seriesPointSource } from './points/series-points.js';
import { type RankingOperations, rankingOperations } from './ranking.js';
import { type NameOperations, nameOperations } from './resolve.js';
import { type SearchOperations, searchOperations } from './search.js';
import { type SeriesLists, type SeriesOperations, seriesOperations } from './series.js';
import { type BackupOperations, type ImportOperations, upkeepOperations } from './upkeep.js';

export const CLIENT_KEYS = {
  /** The service's origin; defaults to `CROPFRAME_HOST`, or else the address of a local `cropframe serve`. */
  api_host: TEXT,
  /**
   * The access token, which is sent only to `api_host`. By default, it is read from the environment variable
   * `CROPFRAME_TOKEN`, or else from `API_TOKEN`.
   */
  access_token: v.string(),
  /** The function that sends the requests: your own `fetch` function or an in-process service. */
  fetch: functionOf<Fetch>(),
  /** Maximum number of concurrent requests; default 10. */
  concurrency: integer({ min: 1 }),
  /** Maximum time to wait for the next byte from the service, in milliseconds; default 60,000. */
  timeout_ms: integer({ min: 1 }),
  /** How often a failed request is retried (by default, up to four times), and the delays between attempts. */
  retry: optionsOf<Partial<RetryPolicy>>(RETRY_KEYS),
  /** Called after each attempt at a request with its operation, status, duration and attempt number, but no token. */
  logger: functionOf<(attempt: RequestAttempt) => void>(),
  /** Keeps responses on disk. Before a response is reused, the client asks the service whether it is still valid. */
  cache: optionsOf<CacheOptions>(CACHE_KEYS),
  /** If true, sends no requests: every response comes from the cache, and reports set `from_cache` for every series. */
  offline: v.boolean(),
};
/** Options of a client. Every option has a default. */
export interface ClientOptions extends OptionsOf<typeof CLIENT_KEYS> {}

/** The parts of a client that differ between Node and browsers. */
export interface ClientRuntime {
  /** Opens the response cache. Not set if the platform has no file system. */
  readonly openCache?: ((options: CacheOptions) => Promise<AnswerCache>) | undefined;
}

/** The public operations that send requests to the service. */
export interface ServiceOperations
  extends EntityOperations,
    SearchOperations,
    NameOperations,
    ContainmentOperations,
    FacetOperations,
    SeriesOperations,
    SeriesRankingOperations,
    FindOperations,
    PointOperations,
    GeographyOperations,
    AreaWeightingOperations,
    ImportOperations,
    BackupOperations,
    RankingOperations {
  /** Origin of the service, including the scheme. */
  readonly api_host: string;
}

/** The public operations, and the internal operations on which the rest of a client is built. */
export interface ServiceClient extends ServiceOperations, EntityLists, SeriesLists, PointSets {
  readonly seriesPoints: SeriesPointSource;
}

/**
 * Creates the client operations that send requests.
 * @throws RuntimeError if there is no token; ArgumentError if an option is invalid
 */
export function createServiceClient(options: ClientOptions = {}, runtime: ClientRuntime = {}): ServiceClient {
  const transport = transportOf(options, runtime);
  const entities = entityOperations(transport);
  const series = seriesOperations(transport);
  const ranking = seriesRankingOperations(transport, { ...series, ...entities });
  const base = { json: transport.json, ...entities, ...series, ...ranking };
  const names = nameOperations(transport, base);
  const search = searchOperations(transport, { ...entities, ...names });
  const seriesPoints = seriesPointSource(transport);
  return {
    api_host: transport.host,
    seriesPoints,
    ...entities,
    ...search,
    ...names,
    ...containmentOperations(transport, { ...entities, ...search }),
    ...facetOperations(transport),
    ...series,
    ...ranking,
    ...findOperations(names, base),
    ...pointOperations(entities, seriesPoints),
    ...geographyOperations(transport),
    ...areaWeightingOperations(transport),
    ...upkeepOperations(transport, entities.forgetEntities),
    ...rankingOperations(transport),
  };
}

createServiceClient.takes = {
  ...entityOperations.takes,
  ...searchOperations.takes,
  ...nameOperations.takes,
  ...containmentOperations.takes,
  ...facetOperations.takes,
  ...seriesOperations.takes,
  ...seriesRankingOperations.takes,
  ...findOperations.takes,
  ...pointOperations.takes,
  ...geographyOperations.takes,
  ...areaWeightingOperations.takes,
  ...upkeepOperations.takes,
  ...rankingOperations.takes,
} satisfies ArgumentsOf<ServiceOperations>;

function transportOf(options: ClientOptions, { openCache }: ClientRuntime): Transport {
  checkOptions(options, CLIENT_KEYS, 'createClient');
  const { cache, offline } = options;
  const { CROPFRAME_TOKEN, API_TOKEN } = globalThis.process?.env ?? {};
  const token = options.access_token ?? (CROPFRAME_TOKEN || API_TOKEN);
  if (token === undefined || token === '')
    throw new RuntimeError('no access token: pass access_token, or set the environment variable API_TOKEN');
  if (offline === true && cache === undefined)
    throw badArgument('offline', 'requires a cache; also pass cache with a directory');
  if (cache !== undefined && openCache === undefined)
    throw badArgument('cache', 'keeps responses in files, which browsers do not support; omit it');
  const host = readHost(options.api_host);
  return createTransport({ ...options, host, token, cache: cache && openCache?.(cache) });
}
