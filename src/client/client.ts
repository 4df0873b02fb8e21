import * as v from 'valibot';
import { RETRY_KEYS, type RequestAttempt, type RetryPolicy } from '../http/retries.js';
import { badArgument, RuntimeError } from '../model/errors.js';
import { checkOptions, type OptionsOf, optionsOf } from '../model/schema/check.js';
import type { ArgumentsOf } from '../model/schema/operation.js';
import { functionOf, integer, TEXT } from '../model/schema/schemas.js';
import { type AreaWeightingOperations, areaWeightingOperations } from './area-weighting.js';
import { type AvailabilityOperations, availabilityOperations } from './available.js';
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
import { FormatNegotiation } from './points/point-answer.js';
import { type PointOperations, type PointSets, pointOperations, pointRetriever } from './points/points.js';
import { type SeriesPointSource, seriesPointSource } from './points/series-points.js';
import { type RankingOperations, rankingOperations } from './ranking.js';
import { type NameOperations, nameOperations } from './resolve.js';
import { type SearchOperations, searchOperations } from './search.js';
import { type SeriesLists, type SeriesOperations, seriesOperations } from './series.js';
import { type BackupOperations, backupOperations } from './upkeep/backups.js';
import { type ImportOperations, importOperations } from './upkeep/imports.js';

/** The schemas of `ClientOptions`. */
export const CLIENT_KEYS = {
  /** The service; by default `CROPFRAME_HOST`, or the default address of `cropframe serve` on this machine. */
  api_host: TEXT,
  /** By default the environment variable `CROPFRAME_TOKEN`, or else `API_TOKEN`. It is sent only to `api_host`. */
  access_token: v.string(),
  /** Sends the requests: a `fetch` function of your own, or an in-process service. */
  fetch: functionOf<Fetch>(),
  /** Maximum number of concurrent requests; default 10. */
  concurrency: integer({ min: 1 }),
  /** Maximum time in milliseconds without a byte from the service, even during a long answer; default one minute. */
  timeout_ms: integer({ min: 1 }),
  /** The number of retries of a failed request, and the waits between them; by default four retries. */
  retry: optionsOf<Partial<RetryPolicy>>(RETRY_KEYS),
  /** Called after each attempt with its operation, status, duration and retry. It never receives the token. */
  logger: functionOf<(attempt: RequestAttempt) => void>(),
  /** Keeps answers on disk, and only asks the service whether they are still valid. */
  cache: optionsOf<CacheOptions>(CACHE_KEYS),
  /** If true, answers come only from the cache, without a request. Reports then have `from_cache` for every series. */
  offline: v.boolean(),
};
/** Options of a client. All have a default. */
export interface ClientOptions extends OptionsOf<typeof CLIENT_KEYS> {}

/** The parts of a client that differ between Node and browsers. */
export interface ClientRuntime {
  /** Opens the cache of answers; absent if the platform has no files. */
  readonly openCache?: ((options: CacheOptions) => Promise<AnswerCache>) | undefined;
}

/** The public operations that send requests to the service. */
export interface ServiceOperations
  extends EntityOperations,
    SearchOperations,
    NameOperations,
    AvailabilityOperations,
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

/** Operations for other modules that are not public. */
interface ServiceInternals extends EntityLists, SeriesLists, PointSets {
  readonly seriesPoints: SeriesPointSource;
}

/** A client with the operations that other modules need. */
export interface ServiceClient extends ServiceOperations, ServiceInternals {}

/**
 * Creates the client's operations that send requests, bound to a host and a token.
 * @throws RuntimeError if there is neither an access token nor `API_TOKEN`; ArgumentError if an option is invalid
 */
export function createServiceClient(
  options: ClientOptions = {},
  runtime: ClientRuntime = {},
): {
  operations: ServiceOperations;
  internals: ServiceInternals;
} {
  const transport = transportOf(options, runtime);
  const formats = new FormatNegotiation();
  const { lookupList, ...entities } = entityOperations(transport);
  const { scanSeries, ...series } = seriesOperations(transport);
  const ranking = seriesRankingOperations(transport, { ...series, lookupList });
  const base = { json: transport.json, lookupList, ...series, ...ranking };
  const { askResolution, ...names } = nameOperations(transport, base);
  const search = searchOperations(transport, { lookupList, ...names });
  const availability = availabilityOperations(transport, entities);
  const retrieve = pointRetriever(transport, formats);
  const { getPointSet, toUnit, ...points } = pointOperations({ lookupList, ...availability }, retrieve);
  return {
    operations: {
      api_host: transport.host,
      ...entities,
      ...search,
      ...names,
      ...availability,
      ...containmentOperations(transport, { ...entities, ...search, lookupList }),
      ...facetOperations(transport),
      ...series,
      ...ranking,
      ...findOperations({ askResolution }, base),
      ...points,
      ...geographyOperations(transport),
      ...areaWeightingOperations(transport),
      ...importOperations(transport),
      ...backupOperations(transport),
      ...rankingOperations(transport),
    },
    internals: {
      lookupList,
      scanSeries,
      getPointSet,
      toUnit,
      seriesPoints: seriesPointSource({ transport, retrieve, formats }),
    },
  };
}

createServiceClient.takes = {
  ...entityOperations.takes,
  ...searchOperations.takes,
  ...nameOperations.takes,
  ...availabilityOperations.takes,
  ...containmentOperations.takes,
  ...facetOperations.takes,
  ...seriesOperations.takes,
  ...seriesRankingOperations.takes,
  ...findOperations.takes,
  ...pointOperations.takes,
  ...geographyOperations.takes,
  ...areaWeightingOperations.takes,
  ...importOperations.takes,
  ...backupOperations.takes,
  ...rankingOperations.takes,
} satisfies ArgumentsOf<ServiceOperations>;

function transportOf(options: ClientOptions, { openCache }: ClientRuntime): Transport {
  checkOptions(options, CLIENT_KEYS, 'createClient');
  const { fetch, concurrency, timeout_ms: timeoutMs, retry, logger, cache, offline } = options;
  const { CROPFRAME_TOKEN, API_TOKEN } = globalThis.process?.env ?? {};
  const token = options.access_token ?? (CROPFRAME_TOKEN || API_TOKEN);
  if (token === undefined || token === '')
    throw new RuntimeError('no access token: give access_token, or set the environment variable API_TOKEN');
  if (offline === true && cache === undefined)
    throw badArgument('offline', 'needs a cache to answer from; give cache with its directory');
  if (cache !== undefined && openCache === undefined)
    throw badArgument('cache', 'keeps answers in files, which a browser does not have; omit it');
  return createTransport({
    host: readHost(options.api_host),
    token,
    fetch,
    concurrency,
    timeoutMs,
    retry,
    logger,
    cache: cache && openCache?.(cache),
    offline,
  });
}
