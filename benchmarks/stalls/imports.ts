import { createClient } from '../../src/create-client.js';
import type { DatasetAsked } from '../../src/model/importing/job.js';
import { DAY_MS, formatDay } from '../../src/model/time.js';

/** A legal import that makes much work. */
export interface HeavyImport {
  readonly what: string;
  /** Whether it goes into a new store, and not into the heavy one. */
  readonly isFirst?: boolean | undefined;
  readonly dataset: DatasetAsked;
  files(): { name: string; content: Blob }[];
}

const STATIONS = 4_000;
const DOCUMENT = {
  source: { name: 'Attacker' },
  region: { station: 'station', latitude: 42, longitude: -93 },
  start_date: { column: 'day', format: 'YYYY-MM-DD' },
  metric: { name: 'Temperature' },
  unit: { name: '°C' },
  values: [{ column: 'value', item: { name: 'Temperature max' } }],
};

function table(name: string, rows: number, row: (i: number) => string): { name: string; content: Blob }[] {
  const lines = Array.from({ length: rows }, (_, i) => row(i));
  return [{ name, content: new Blob([['station,day,value', ...lines, ''].join('\n')]) }];
}

const day = (i: number) => formatDay(Date.UTC(1950, 0, 1) + i * DAY_MS);
const stations = () =>
  table('stations.csv', 300_000, (i) => `S${i % STATIONS},${day(Math.floor(i / STATIONS))},${i % 40}`);

/** The heaviest imports over HTTP. */
export const HEAVY_IMPORTS: readonly HeavyImport[] = [
  { what: 'demo, the vocabulary, regions and shapes', isFirst: true, dataset: 'demo', files: () => [] },
  { what: 'demo again', isFirst: true, dataset: 'demo', files: () => [] },
  { what: 'demo beside 200,000 series', dataset: 'demo', files: () => [] },
  {
    what: `300,000 rows of ${STATIONS} new stations, each row of another`,
    dataset: DOCUMENT,
    files: stations,
  },
  { what: 'the same again', dataset: DOCUMENT, files: stations },
  {
    what: '1,000,000 days of 40 stations',
    dataset: DOCUMENT,
    files: () =>
      table('days.csv', 1_000_000, (i) => `S${Math.floor(i / 25_000)},${day(i % 25_000)},${i % 41}`),
  },
  {
    what: '200,000 rows that are all rejected',
    dataset: DOCUMENT,
    files: () => table('rejected.csv', 200_000, (i) => `S${i % 10},no day,${i}`),
  },
  {
    what: '100,000 rows that contradict each other',
    dataset: DOCUMENT,
    files: () => table('conflicts.csv', 100_000, (i) => `S${i % 10},${day(Math.floor(i / 20))},${i}`),
  },
  {
    what: 'one line of 30 MB',
    dataset: DOCUMENT,
    files: () => [{ name: 'line.csv', content: new Blob(['station,day,value\n', 'x'.repeat(30_000_000)]) }],
  },
];

/** Sends an import. @returns the status, or that of its error, and the rows of the report */
export async function sendImport(url: string, { dataset, files }: HeavyImport): Promise<string> {
  const client = createClient({ api_host: url, access_token: 'attacker' });
  try {
    const { rows } = await client.importFiles({ dataset, files: files() });
    return `200, ${rows} rows`;
  } catch (error) {
    return (error as Error).message.slice(0, 60);
  }
}

/** Makes a backup of the whole store, and fetches it. */
export async function sendBackup(url: string): Promise<{ status: number; bytes: number }> {
  let bytes = 0;
  const write = async (part: Uint8Array) => {
    bytes += part.byteLength;
  };
  await createClient({ api_host: url, access_token: 'attacker' }).backUp({ write });
  return { status: 200, bytes };
}
