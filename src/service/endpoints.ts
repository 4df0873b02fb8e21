import type { EndpointName } from '../contract/endpoints.js';
import { METRICS_TEXT } from '../contract/wire-names.js';
import { NotFoundError } from '../model/errors.js';
import { logIn } from './access/login.js';
import { refuseRasters, weightByArea } from './area-weighting.js';
import {
  allowedUnits,
  listAncestors,
  listCombinations,
  listDescendants,
  lookupEntities,
  lookupEntity,
  searchAll,
  searchEntities,
  searchHits,
} from './entities.js';
import { listFacets } from './facets.js';
import { geocodePlaces, listGeocentres } from './geography.js';
import type { Handlers, RequestContext, ServiceContext } from './handler.js';
import type { ParsedRequest } from './http/read-request.js';
import { retrievePointBatch, retrievePoints } from './points/retrieve-points.js';
import { listTimeFrequencies, rankSources, rankTop } from './ranking.js';
import { listSeries, listVintages, streamSeries } from './series.js';
import {
  addImportPart,
  beginBackup,
  beginImport,
  cancelImport,
  discardBackup,
  runImport,
  sendBackupPart,
} from './upkeep/handlers.js';

/** The handler of every endpoint. */
const handlers: Handlers = {
  health: async (_input, { store }) => ({
    status: 'ok',
    engine: store.capabilities.engine,
    store_version: await store.version(),
  }),
  async metrics(_input, { metrics, showsMetrics }) {
    if (!showsMetrics) {
      const message = 'this service shows no metrics; start it with "cropframe serve --metrics"';
      throw new NotFoundError(404, '/metrics', message);
    }
    return new Response(await metrics.text(), {
      headers: { 'content-type': METRICS_TEXT, 'cache-control': 'no-store' },
    });
  },
  accessToken: logIn,
  combinations: listCombinations,
  searchAll,
  searchHits,
  search: searchEntities,
  seriesList: listSeries,
  seriesStream: streamSeries,
  facets: listFacets,
  vintages: listVintages,
  timeFrequencies: listTimeFrequencies,
  rankedSources: rankSources,
  points: retrievePoints,
  pointsBatch: retrievePointBatch,
  top: rankTop,
  allowedUnits,
  geocentres: listGeocentres,
  geocode: geocodePlaces,
  areaWeighting: weightByArea,
  rasterWeighting: refuseRasters,
  importBegin: beginImport,
  importPart: addImportPart,
  importRun: runImport,
  importCancel: cancelImport,
  backupBegin: beginBackup,
  backupPart: sendBackupPart,
  backupDiscard: discardBackup,
  descendants: listDescendants,
  ancestors: listAncestors,
  entity: lookupEntity,
  entities: lookupEntities,
};

/** Calls an endpoint's handler. The compiler cannot relate a name that is known only at run time to its types. */
export function callHandler(
  name: EndpointName,
  input: ParsedRequest & RequestContext,
  context: ServiceContext,
): Promise<unknown> {
  const handle = handlers[name] as (input: unknown, context: ServiceContext) => Promise<unknown>;
  return handle(input, context);
}
