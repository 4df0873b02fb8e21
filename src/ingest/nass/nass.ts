import { PLAIN_NUMBER, type RowAnswer } from '../../store/store.js';
import { RowError } from '../batch/batch-builder.js';
import { type DatasetForm, type DatasetJob, defineTables } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  inFolder,
  movedError,
  type PlannedFile,
} from '../fetching/requests.js';
import { JSON_RECORDS } from '../reading/json-records.js';
import { MONTHS, parseRowDate, remarksJson } from '../reading/row-values.js';
import { FIGURES, TableFields } from '../reading/table-plan.js';
import { hasColumns, type OpenedTable } from '../reading/tables.js';
import { loadCountryNames } from '../regions/names.js';
import { loadRegionTree } from '../regions/tree.js';
import { SOURCES } from '../vocabulary/sources.js';
import { resolveNassMeasure } from './measures.js';
import { COLUMNS, type NassPlaces, type NassRow, nassRegions, parseNassPeriod } from './places.js';

const BULK: Pick<DatasetForm<NassPlaces>, 'matches' | 'plan'> = {
  matches: (fields) => hasColumns(fields, ['SHORT_DESC', 'LOAD_TIME']),
  plan: (table, job) => planQuickStats(table, 0, job),
};

/**
 * USDA NASS Quick Stats: bulk files (tab-separated, 39 columns, usually gzip), answers of the API (the same columns as CSV
 * or JSON) and exports of the web page (CSV, 21 columns). Surveys and censuses are two sources. The load time is the
 * reporting date and the available date; figures of web exports have no reporting date, and are available from their
 * import.
 */
export const nass = defineTables<NassPlaces>({
  name: 'nass',
  summary:
    'USDA NASS Quick Stats: bulk files (qs.*.txt.gz), answers of the API (CSV or JSON), exports of the web page (CSV)',
  sources: [SOURCES.nassSurvey, SOURCES.nassCensus],
  fetch: { takes: 'a sector, such as crops', byDefault: 'crops', find: findSector },
  forms: [
    { name: 'a bulk file of Quick Stats', delimiter: '\t', quotes: false, ...BULK },
    { name: 'an answer of the Quick Stats API in CSV', ...BULK },
    { name: 'one in JSON', ...JSON_RECORDS, ...BULK },
    {
      name: 'an export of the Quick Stats web page',
      matches: (fields) => fields.includes('Data Item') && fields.includes('Ag District Code'),
      plan: (table, job) => planQuickStats(table, 1, job),
    },
  ],
  async prepare() {
    const { byId } = await loadRegionTree();
    return { tree: byId, countries: await loadCountryNames() };
  },
});

const PROGRAMS: ReadonlyMap<string, number> = new Map<string, number>([
  ['SURVEY', SOURCES.nassSurvey.id],
  ['CENSUS', SOURCES.nassCensus.id],
]);

/** @param format the position of its columns among those of a field */
function planQuickStats(table: OpenedTable, format: 0 | 1, job: DatasetJob & NassPlaces) {
  const named = Object.entries(COLUMNS).map(([field, names]) => [field, names[format]]);
  const columns = Object.fromEntries(named) as Record<keyof NassRow, string | null>;
  // `CV_%` in bulk files, `CV (%)` in exports and the API's answers, and `CV....` once R has read them.
  columns.variation = table.header.find((name) => /^CV\W/i.test(name)) ?? columns.variation;
  const coded = { field: 'level', is: CODED_LEVELS } as const;
  const plain = { field: 'period', is: PLAIN_PERIODS } as const;
  const texts = { location: coded, crop: plain, value: { ofValue: 0 } } as const;
  const fields = TableFields.of<keyof NassRow>(table, columns, texts);
  const regionOf = nassRegions(job);
  return {
    keys: [
      fields.key(['program'], ({ program }) => {
        const source_id = PROGRAMS.get(program);
        if (source_id === undefined)
          throw new RowError(`the program "${program}" is neither SURVEY nor CENSUS`);
        return { source_id };
      }),
      fields.key(['value', 'variation'], answerFigure),
      fields.key(['year', 'period', 'weekEnding', 'crop'], (row) => parseNassPeriod(row, job.batch)),
      fields.key(['shortDesc', 'domain', 'domainCategory', 'unit', 'period'], (row) =>
        answerMeasure(row, job),
      ),
      fields.key(['loadTime'], ({ loadTime }) => {
        if (loadTime === '') return {};
        const loadMs = parseRowDate(loadTime, 'load time');
        return { reportingMs: loadMs, availableMs: loadMs + BEHIND_UTC_MS };
      }),
      fields.key(
        [
          'level',
          'state',
          'stateFips',
          'districtCode',
          'countyFips',
          'county',
          'location',
          'region',
          'watershed',
          'zip',
        ],
        (row) => ({ region_id: regionOf({ ...row, location: locationOf(row) }) }),
        ['district'],
      ),
    ],
    values: [{ column: fields.at.value, ...FIGURES, keys: [] }],
  };
}

/** Load times are those of Washington, which is so far behind UTC, or an hour less. */
const BEHIND_UTC_MS = 5 * 3_600_000;

/** Periods of almost all rows, whose dates do not depend on the data item. */
const WEEKS = Array.from({ length: 53 }, (_, i) => `WEEK #${String(i + 1).padStart(2, '0')}`);
const PLAIN_PERIODS = ['YEAR', ...MONTHS, ...WEEKS];

/** Levels whose places are identified by codes alone. */
const CODED_LEVELS = ['NATIONAL', 'STATE', 'AGRICULTURAL DISTRICT', 'COUNTY'];

/** The web export has no column of the location: state, region, watershed and zip code identify it together. */
function locationOf(row: Pick<NassRow, 'location' | 'state' | 'region' | 'watershed' | 'zip'>): string {
  const parts = [row.state, row.region, row.watershed, row.zip];
  return row.location || parts.filter((part) => part !== '').join(', ');
}

function answerMeasure(
  row: Pick<NassRow, 'shortDesc' | 'domain' | 'domainCategory' | 'unit' | 'period'>,
  { batch }: Pick<DatasetJob, 'batch'>,
): RowAnswer {
  const { shortDesc, unit } = row;
  const domain = row.domain === 'TOTAL' ? '' : row.domainCategory || row.domain;
  const { span } = parseNassPeriod({ ...row, year: '2000', weekEnding: '2000-01-01', crop: shortDesc });
  return resolveNassMeasure({ shortDesc, domain, unit, span }, batch);
}

/** The newest file of a sector: its name has the date, and nothing else names it. */
async function findSector(request: string, { listing }: Finding): Promise<PlannedFile[]> {
  const page = await listing(ADDRESSES.nassFolder);
  const found = [...page.matchAll(/qs\.([a-z_]+?)(?:_(\d{8})|(\d{4}))\.txt\.gz/g)].map(
    ([name, sector, date = '', year = '']) => ({ name, sector: sector! + year, date }),
  );
  if (found.length === 0) throw movedError('nass', ADDRESSES.nassFolder);
  const [newest] = found
    .filter(({ sector }) => sector === request)
    .sort((a, b) => (a.date < b.date ? 1 : -1));
  if (newest === undefined) {
    const sectors = [...new Set(found.map(({ sector }) => sector))].sort().join(', ');
    throw new FetchRequestError(`nass has no "${request}"; it has ${sectors}`);
  }
  return [inFolder(ADDRESSES.nassFolder, newest.name)];
}

const NUMBER = /^-?(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$|^-?\.\d+$/;
const CODE = /^\([A-Za-z]{1,3}\)$/;

/**
 * The value of a figure with thousands separators, of which the engine has read most, or null for a code in parentheses: (D)
 * withheld, (Z) less than half the unit, (NA) not available, (X) not applicable, (S) insufficient, (L) low, (H) high. The
 * metadata has the code and the coefficient of variation, in percent or as a code.
 * @throws RowError when the text is neither
 */
function answerFigure({ value: text, variation }: Pick<NassRow, 'value' | 'variation'>): RowAnswer {
  const [isPlain, isCode] = [text === PLAIN_NUMBER, CODE.test(text)];
  if (!isPlain && !isCode && !NUMBER.test(text))
    throw new RowError(`the value "${text}" is neither a number nor a code such as (D)`);
  const isPercent = variation !== '' && !Number.isNaN(Number(variation));
  const remarks = {
    code: isCode ? text : undefined,
    ...(isPercent ? { cv_percent: Number(variation) } : { cv_code: variation }),
  };
  const value = isPlain || isCode ? null : Number(text.replaceAll(',', ''));
  return { value, metadata: remarksJson(remarks) };
}
