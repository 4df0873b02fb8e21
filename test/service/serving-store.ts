import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import type { SeriesKey } from '../../src/model/series.js';
import { parseTime } from '../../src/model/time.js';
import { hashToken } from '../../src/service/access/auth.js';
import { serve } from '../../src/service/http/serve.js';
import { createService, type ServiceOptions } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { NewPointsBuilder } from '../new-points.js';
import { openFilledStore } from '../store-templates.js';

export const TOKEN = 'cf_test-token';

/** Series of the store: area harvested of corn in France with revisions, and others. */
export interface Known {
  readonly revised: SeriesKey;
  readonly trade: SeriesKey;
  /** Its partner region is historical. */
  readonly formerTrade: SeriesKey;
  readonly dissolved: SeriesKey;
}

const FRANCE = 250;
const GERMANY = 276;
const SOVIET_UNION_KEY = 'USSR';

/** A store with the demo data and series that have revisions, partners, and historical regions and partners. */
export async function openServedStore(): Promise<{ store: Store; known: Known }> {
  const store = await openFilledStore('served', async (empty) => {
    await importDataset(empty, documentImporter('demo'));
    const known = await findKnown(empty);
    await importDataset(empty, revisions(known), { importedMs: parseTime('2020-01-01', 'test') });
  });
  const never = { createdMs: 0, expiresMs: null, revokedMs: null };
  await store.access.putToken({ hash: hashToken(TOKEN), name: 'test', email: null, ...never });
  return { store, known: await findKnown(store) };
}

async function findKnown(store: Store): Promise<Known> {
  const [area] = (await store.searchDocuments('metrics')).filter(({ name }) => name === 'Area harvested');
  const [corn] = (await store.searchDocuments('items')).filter(({ name }) => name === 'Corn');
  const regions = await store.searchDocuments('regions');
  const soviet = regions.find(
    ({ historical, name, aliases }) => historical && [name, ...aliases].includes(SOVIET_UNION_KEY),
  );
  const base = { metric_id: area!.id, item_id: corn!.id, source_id: 22, frequency_id: 9 };
  return {
    revised: { ...base, region_id: FRANCE, partner_region_id: 0 },
    trade: { ...base, region_id: FRANCE, partner_region_id: GERMANY },
    formerTrade: { ...base, region_id: FRANCE, partner_region_id: soviet!.id },
    dissolved: { ...base, region_id: soviet!.id, partner_region_id: 0 },
  };
}

const YEAR = (year: number) => ({
  startMs: parseTime(`${year}-01-01`, 'test'),
  endMs: parseTime(`${year}-12-31`, 'test'),
});
const at = (date: string): number => parseTime(date, 'test');

function revisions(known: Known): Importer {
  return {
    dataset: 'test',
    summary: 'series with revisions',
    needsFiles: false,
    async *read() {
      const points = new NewPointsBuilder();
      const add = (
        key: SeriesKey,
        year: number,
        value: number | null,
        reported: string | null,
        available: string,
      ) =>
        points.add(key, {
          ...YEAR(year),
          value,
          unitId: 22,
          reportingMs: reported === null ? null : at(reported),
          availableMs: at(available),
          metadata: value === null ? '{"flag":"M"}' : null,
        });
      add(known.revised, 2016, 100, '2017-01-10', '2017-01-11');
      add(known.revised, 2016, 110, '2017-06-10', '2017-06-11');
      add(known.revised, 2016, 111, '2017-06-10', '2017-07-01');
      add(known.revised, 2017, 120, '2018-01-10', '2018-01-11');
      add(known.revised, 2017, null, '2018-06-10', '2018-06-11');
      add(known.revised, 2019, 140, null, '2020-01-11');
      add(known.trade, 2016, 5, '2017-01-10', '2017-01-11');
      add(known.formerTrade, 1990, 6, null, '2000-01-01');
      add(known.dissolved, 1990, 7, null, '2000-01-01');
      yield { points: points.take() };
    },
  };
}

/** A store served over a socket, and requests to it by fetch alone. */
export interface Served {
  readonly url: string;
  readonly known: Known;
  readonly store: Store;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  json(path: string): Promise<{ status: number; body: never }>;
  close(): Promise<void>;
}

export async function serveStore(options: ServiceOptions = {}): Promise<Served> {
  const { store, known } = await openServedStore();
  const serving = await serve(createService(store, options), { port: 0 });
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(serving.url + path, {
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
      redirect: 'manual',
    });
  return {
    url: serving.url,
    known,
    store,
    get,
    async json(path) {
      const response = await get(path);
      const text = await response.text();
      return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as never };
    },
    async close() {
      await serving.close();
      await store.close();
    },
  };
}
