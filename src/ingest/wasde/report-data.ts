import { monthsPeriod } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { formatDay, parseTime } from '../../model/time.js';
import { RowError } from '../batch/batch-builder.js';
import type { DatasetJob } from '../dataset.js';
import { parseRowDate, remarksJson } from '../reading/row-values.js';
import { planRows, TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { countryRegionId } from '../regions/ids.js';
import { type CountryNames, resolveRegionName } from '../regions/names.js';
import { releaseTime, usFirstMonth } from '../usda/calendar.js';
import { findItemId, itemId } from '../vocabulary/items.js';
import { readPairs } from '../vocabulary/text-table.js';
import { findWasdeUnit, LABEL_UNITS, REMARKS, resolveWasdeMetric } from './labels.js';
import { findTable } from './matrices.js';

/**
 * The columns of the report data that USDA's Office of the Chief Economist publishes as CSV. There is a file each month
 * since 2021, such as `oce-wasde-report-data-2026-11.csv`, and two archives from April 2010 on (usda.gov, Historical
 * WASDE Report Data).
 */
const COLUMNS = {
  title: 'ReportTitle',
  attribute: 'Attribute',
  commodity: 'Commodity',
  region: 'Region',
  year: 'MarketYear',
  status: 'ProjEstFlag',
  value: 'Value',
  unit: 'Unit',
  released: 'ReleaseDate',
} as const;

/** Checks whether a table is WASDE report data. */
export const isReportData = (fields: readonly string[]): boolean =>
  fields.includes('WasdeNumber') && fields.includes(COLUMNS.title);

/** Plans the rows of the report data. They come from the same tables as in XML, and have the same series and dates. */
export function planReportData(
  table: OpenedTable,
  { batch, countries, settings }: DatasetJob & { readonly countries: CountryNames },
) {
  const saidMs = settings.released === undefined ? null : parseTime(settings.released, 'settings.released');
  const fields = TableFields.of(table, COLUMNS);
  return planRows({
    keys: [
      fields.key(['title', 'commodity'], (row) => {
        const item_id = findItem(row);
        if (item_id !== undefined) return { item_id };
        const { title, commodity } = row;
        if (/^Reliability/.test(title)) return { notRead: 'reliability of projections' };
        return { notRead: findTable(title) === undefined ? title : `${commodity} of ${title}` };
      }),
      fields.key(['released'], ({ released }) => {
        const reportingMs = parseRowDate(released, 'release date');
        if (saidMs === null || saidMs === reportingMs)
          return { reportingMs, availableMs: releaseTime(reportingMs) };
        const day = formatDay(reportingMs);
        throw new IngestError(
          'wasde',
          `${table.file} says that the report was released on ${day}; leave out the release day`,
          {
            file: table.file,
          },
        );
      }),
      fields.key(['title', 'region'], ({ title, region }) =>
        isOfWorld(title) && region === 'United States'
          ? { notRead: 'the United States in tables of the world' }
          : {},
      ),
      fields.key(['year', 'title', 'commodity'], (row) => {
        const year = /^(\d{4})\/\d{2,4}$/.exec(row.year)?.[1];
        if (year === undefined) throw new RowError(`"${row.year}" is not a marketing year`);
        return monthsPeriod(Number(year), usFirstMonth(findItem(row)!) ?? 1, 12);
      }),
      fields.key(['attribute', 'title', 'commodity'], (row) =>
        / - (Low|High)$/i.test(row.attribute)
          ? { notRead: 'ends of ranges of prices' }
          : { metric_id: resolveWasdeMetric(row.attribute, findItem(row)!, batch) },
      ),
      fields.key(['title', 'region'], ({ title, region }) => ({
        region_id: isOfWorld(title)
          ? resolveRegionName(region, { countries, batch, dataset: 'wasde' })
          : countryRegionId(840),
      })),
      fields.key(['attribute', 'unit', 'title', 'commodity'], (row) => ({ unit_id: findUnit(row) })),
      fields.key(['status'], ({ status }) => ({ metadata: remarksJson({ status }) })),
    ],
    values: [{ column: fields.at.value, name: 'value', empty: 'empty cells' }],
  });
}

type Row<Field extends keyof typeof COLUMNS> = Readonly<Record<Field, string>>;

const isOfWorld = (title: string): boolean => findTable(title)?.isOfWorld === true;

/**
 * Commodities with other names than in the vocabulary. The report data calls rice "Rice, Rough", but means the whole
 * crop.
 */
const COMMODITIES = readPairs('Rice, Rough = Rice; Coarse Grain = Coarse grains');

/** Finds the item of a row; undefined if its table or commodity is not imported. */
function findItem({ title, commodity }: Row<'title' | 'commodity'>): number | undefined {
  const table = findTable(title);
  // A table of the world has one item, which that of rice does not call milled.
  if (table?.isOfWorld) return table.items[0];
  const item = findItemId(COMMODITIES.get(commodity) ?? commodity);
  return table?.items.find((one) => one === item);
}

/**
 * Finds the unit of a row. Two units are not in the column: the price of cotton is in cents per pound, by the note below
 * the printed table, and exports of rice say "rough equiv." there.
 */
function findUnit({ attribute, unit, ...place }: Row<'attribute' | 'unit' | 'title' | 'commodity'>): number {
  const item = findItem(place)!;
  const text = unit.toLowerCase();
  const units = REMARKS.includes(text) ? 'million hundredweight' : unit;
  const footer = item === itemId('Cotton') ? 'cents per pound' : '';
  const label = LABEL_UNITS.has(text) ? `${attribute} (${text})` : attribute;
  return findWasdeUnit({ attribute: label, units, subtitle: '', footer }, item);
}
