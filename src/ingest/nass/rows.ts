import { WORLD_REGION_ID } from '../../model/entity.js';
import { PLAIN_NUMBER, type RowAnswer, type RowKey, type RowText } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { parseRowDate } from '../reading/row-values.js';
import { type RowPlan, rowKey } from '../reading/text-rows.js';
import { SOURCES } from '../vocabulary/sources.js';
import { type NassMeasure, resolveNassMeasure } from './measures.js';
import { nassSpan, parseNassPeriod } from './periods.js';
import type { NassPlaceText, NassRegions } from './regions.js';
import { formatNassMetadata, parseNassValue } from './values.js';

/** The fields of a row under the same names for both formats; empty where a format does not have them. */
export interface NassRow extends NassPlaceText {
  readonly program: string;
  readonly commodity: string;
  readonly shortDesc: string;
  readonly domain: string;
  readonly domainCategory: string;
  readonly unit: string;
  readonly year: string;
  readonly period: string;
  readonly weekEnding: string;
  readonly loadTime: string;
  readonly value: string;
  readonly variation: string;
  readonly zip: string;
  readonly watershed: string;
  readonly region: string;
}

/** The column of each field; -1 where the table has none. */
type NassColumns = Readonly<Record<keyof NassRow, number>>;

const PROGRAMS: ReadonlyMap<string, number> = new Map(
  Object.entries<number>({
    SURVEY: SOURCES.nassSurvey.id,
    CENSUS: SOURCES.nassCensus.id,
  }),
);

/** What the rows of an import need. */
export interface NassJob {
  readonly regions: NassRegions;
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  /** The data item whose series have a metric and an item. */
  readonly owners: Map<string, string>;
}

/** Figures with or without marks of thousands. */
const FIGURES = {
  plain: ' *-?([0-9]+|[0-9]{1,3}(,[0-9]{3})+)([.][0-9]+)? *',
  decimal: '.',
  thousands: ',',
} as const;

/** How the rows of a table become points. */
export function planNassRows(columns: NassColumns, job: NassJob): RowPlan {
  /** A key of the fields that the table has; others are empty. */
  const keyOf = (
    fields: readonly (keyof NassRow)[],
    answers: RowKey['answers'],
    resolve: (row: NassRow) => RowAnswer,
    names: readonly (keyof NassRow)[] = [],
  ): RowKey => {
    const present = (list: readonly (keyof NassRow)[]) => list.filter((field) => columns[field] >= 0);
    const [texts, details] = [present(fields), present(names)];
    const empty = Object.fromEntries([...fields, ...names].map((field) => [field, '']));
    return rowKey({
      texts: texts.map((field) => textOf(field, columns)),
      details: details.map((field) => columns[field]),
      answers,
      resolve(found, named) {
        const row: Record<string, string> = { ...empty };
        for (const [i, field] of texts.entries()) row[field] = found[i]!;
        for (const [i, field] of details.entries()) row[field] = named[i]!;
        return resolve(row as unknown as NassRow);
      },
    });
  };
  const program = keyOf(['program'], ['source_id'], ({ program }) => {
    const source_id = PROGRAMS.get(program);
    if (source_id === undefined) throw new RowError(`the program "${program}" is neither SURVEY nor CENSUS`);
    return { source_id };
  });
  const remark = keyOf(['value', 'variation'], ['value', 'metadata'], ({ value, variation }) => {
    const { value: number, code } =
      value === PLAIN_NUMBER ? { value: null, code: null } : parseNassValue(value);
    return { value: number, metadata: formatNassMetadata(code, variation) };
  });
  const period = keyOf(
    ['year', 'period', 'weekEnding', 'commodity'],
    ['startMs', 'endMs', 'frequency_id', 'reportingMs'],
    (row) => {
      const { startMs, endMs, frequencyId, reportingMs } = parseNassPeriod(row);
      return { startMs, endMs, frequency_id: frequencyId, reportingMs };
    },
  );
  const measure = keyOf(
    ['shortDesc', 'domain', 'domainCategory', 'unit', 'period'],
    ['metric_id', 'item_id', 'unit_id'],
    (row) => answerMeasure(row, job),
  );
  const loadTime = keyOf(['loadTime'], ['reportingMs', 'availableMs'], ({ loadTime }) => {
    if (loadTime === '') return {};
    const loadMs = parseRowDate(loadTime, 'load time');
    return { reportingMs: loadMs, availableMs: loadMs };
  });
  const place = keyOf(
    [...CODES, ...LOCATIONS],
    ['region_id'],
    (row) => ({ region_id: job.regions.resolve({ ...row, location: locationOf(row) }) }),
    ['state', 'district', 'county'],
  );
  return {
    keys: [program, remark, period, measure, loadTime, place],
    values: [{ column: columns.value, ...FIGURES, keys: [] }],
    constants: { partner_region_id: WORLD_REGION_ID, availableMs: job.importedMs },
  };
}

const CODES = ['level', 'stateFips', 'districtCode', 'countyFips'] as const;
/** They tell the places of other levels. */
const LOCATIONS = ['location', 'region', 'watershed', 'zip'] as const;
/** Levels whose places are identified by codes alone. */
const CODED_LEVELS = ['NATIONAL', 'STATE', 'AGRICULTURAL DISTRICT', 'COUNTY'];

function textOf(field: keyof NassRow, columns: NassColumns): RowText {
  if (field === 'value') return { ofValue: 0 };
  const column = columns[field];
  const isLocation = (LOCATIONS as readonly string[]).includes(field);
  return isLocation ? { column, unless: { column: columns.level, is: CODED_LEVELS } } : column;
}

/** The web export has no column of the location: state, region, watershed and zip code identify it together. */
function locationOf({ location, state, region, watershed, zip }: NassRow): string {
  return location || [state, region, watershed, zip].filter((part) => part !== '').join(', ');
}

function answerMeasure(
  { shortDesc, domain: part, domainCategory, unit, period }: NassRow,
  job: NassJob,
): RowAnswer {
  const domain = part === 'TOTAL' ? '' : domainCategory || part;
  const span = nassSpan(period);
  const found = resolveNassMeasure({ shortDesc, domain, unit, span }, job.batch);
  claimSeries(found, [shortDesc, domain, span].filter((one) => one !== '').join('; '), job.owners);
  return { metric_id: found.metricId, item_id: found.itemId, unit_id: found.unitId };
}

/** @throws RowError when another data item has the same metric and item: their figures would become one series */
function claimSeries({ metricId, itemId }: NassMeasure, name: string, owners: Map<string, string>): void {
  const owner = owners.get(`${metricId} ${itemId}`) ?? name;
  owners.set(`${metricId} ${itemId}`, owner);
  if (owner === name) return;
  throw new RowError(`"${name}" would become one series with "${owner}"; import them into separate stores`);
}
