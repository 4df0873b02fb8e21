import { monthsPeriod, yearsPeriod } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { frequencyId } from '../../model/frequency.js';
import { PLAIN_NUMBER, type RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineTables } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  movedError,
  namedByPath,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { splitRecords } from '../reading/delimited.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { monthByName, monthByPrefix, parseRowNumber, remarksJson } from '../reading/row-values.js';
import { planKeys, TableFields } from '../reading/table-plan.js';
import { findColumn, type OpenedTable } from '../reading/tables.js';
import type { RowPlan } from '../reading/text-rows.js';
import { type CountryNames, loadCountryNames } from '../regions/names.js';
import { loadRegionTree, type RegionTree } from '../regions/tree.js';
import { itemId } from '../vocabulary/items.js';
import { SOURCES } from '../vocabulary/sources.js';
import { type FaoAreaText, resolveFaoArea } from './areas.js';
import { type FaoBalance, resolveFaoItem, resolveFaoMetric, resolveFaoUnit } from './measures.js';

/** Matches the lists of codes that zip archives contain beside the data. */
const LIST_OF_CODES =
  /_(\w*Codes|\w*Countries|\w*Groups|\w*Levels|Currencies|Donors|Elements|Flags|Indicators|Items|Months|Purposes|Releases|Sexs?|Sources|Surveys|Symbols)\.csv$/i;
/** Matches the data without flags, which is skipped if the archive also has the data with flags. */
const WITHOUT_FLAGS = /_NOFLAG\.csv$/i;
const isData = (name: string): boolean => /\.csv$/i.test(name) && !LIST_OF_CODES.test(name);

/**
 * FAOSTAT: bulk files (zip or CSV, with the headers of all editions) and exports of the web page. They have a row for
 * each year ("Normalized") or a column for each year. The metadata holds flags and notes. A 0 with the flag M (missing)
 * is null. A bound such as "<2.5" is null too, and kept in the metadata. Partners of a trade matrix are partner regions.
 * Figures have no date of their own, so they are available from their import.
 */
export const faostat = defineTables<FaoAreas>({
  name: 'faostat',
  summary: 'FAOSTAT: bulk files (zip or CSV) and exports of the web page (CSV)',
  sources: [SOURCES.faostat],
  counts: 'values',
  forms: [
    {
      name: 'a file of FAOSTAT with columns of the area, the element and the year, or a column for each year (use the download "All Data Normalized")',
      matches(fields) {
        const header = fields.map(presentName);
        const places = header.includes('Area') || header.includes('Reporter Countries');
        const isDated = header.includes('Year') || header.some(isYear);
        return (places && header.includes('Element') && isDated) || header.includes('Survey Code');
      },
      plan: planFaostat,
    },
  ],
  fetch: { takes: 'codes of data sets, such as QCL', find: findBulkFiles },
  wantsEntry: (name, all) =>
    isData(name) &&
    (!WITHOUT_FLAGS.test(name) || all.every((other) => !isData(other) || WITHOUT_FLAGS.test(other))),
  async prepare() {
    const { byId } = await loadRegionTree();
    return { countries: await loadCountryNames(), tree: byId };
  },
});

interface FaoAreas {
  readonly countries: CountryNames;
  readonly tree: RegionTree['byId'];
}

/** Returns the current name of a column. Older editions have `Country`, `CountryCode` and `ItemName`. */
function presentName(name: string): string {
  return name
    .replace(/^(Recipient )?Country/i, 'Area')
    .replace(/^(Area|Item|Element|Domain) ?Name$/i, '$1')
    .replace(/^(Area|Item|Element|Domain|Year) ?Code/i, '$1 Code');
}

/**
 * A column with the figures of one or several years: `Y1961`, `Y19992001`, or `1961` in exports. Its flag and note
 * follow.
 */
const YEARS = /^Y?(\d{4})-?(\d{4})?$/;
const isYear = (name: string): boolean => YEARS.test(name);

/** Systems of codes other than M49, as headers have them; of several, the last column counts. */
const CODE_SYSTEMS = ['', ' (FAO)', ' (ISO3)', ' (ISO2)'] as const;

/** Columns that may hold the item. Exchange rates have the currency instead. */
const ITEM_COLUMNS = ['Item', 'Currency', 'Indicator'];
/** The columns of the item codes that no two items have. */
const ITEM_CODE = /^Item Code( \((FAO|FBS|CBS)\))?$/;
/** The column of the item codes of balances, and these codes: 2511 (wheat) to 2961 (seafood), with an S since 2022. */
const BALANCE_COLUMN = /^Item Code \([FC]BS\)$/;
const BALANCE_CODE = /^'?S?2[5-9]\d\d$/;
/** The groups of balances that have the name of an item: "Miscellaneous", "Milk - Excluding Butter" and "Eggs". */
const GROUP_LIKE_ITEM = /^'?S?29(28|48|49)$/;
/** Identifies the domains of balances, then those of the older method, and then files of the older method. */
const BALANCE_DOMAIN = /^(FBSH?|CBH?|BC|BL|CC|CL) |(food|commodity) balance|^\w* *food supply - /i;
const HISTORIC_DOMAIN = /^(FBSH|CBH|BC|BL|CC|CL) |old method|balance sheets|primary equivalent/i;
const HISTORIC_FILE = /historic|old_?method/i;
/** The first year of the current method. */
const FIRST_PRESENT_YEAR = 2010;
const ACCOUNTS_DOMAIN = /^SCL |supply utilization/i;
/**
 * Elements that only supply utilization accounts have, and their codes. Their production and trade have the codes of elements
 * and items that the data sets of production and trade have.
 */
const ACCOUNTS = /\b(5016"?,"?Loss|5071"?,"?Stock|5113"?,"?Opening|5141"?,"?Food)/;

/**
 * Columns that distinguish figures of one item, such as the sex, the source, the survey or the purpose of an aid flow.
 * Files have a column of codes for each of their dimensions, but exports of the web page may lack it.
 */
const DIMENSIONS =
  /^(Sex|(FAO )?Source|Release|Survey|Purpose|Food Group|Geographic Level|Population .*Group|Bread?k?down .*)$/;
/**
 * Dimensions that are not part of the item's name, because they give the metric, region, partner region, item or
 * period.
 */
const NO_PART_OF_ITEM = /^(Domain|Area|Donor|Item|Element|Months|Year)$/;

type FaoField = 'item' | 'itemCode' | 'element' | 'unit' | 'domainCode' | 'domain' | keyof PartColumns;
type PartColumns = Readonly<Record<`part ${number}`, string>>;
const keysOf = (parts: PartColumns) => Object.keys(parts) as (keyof PartColumns)[];

/**
 * Returns the columns whose strings are part of the item's name, in an order that is the same for all forms of a file.
 */
function itemParts(header: readonly string[], item: string | null): PartColumns {
  const isPart = (name: string) => DIMENSIONS.test(name) || header.includes(`${name} Code`);
  const names = header.filter((name) => isPart(name) && name !== item && !NO_PART_OF_ITEM.test(name));
  return Object.fromEntries(names.sort().map((name, i) => [`part ${i}`, name]));
}

/** Matches the default sex and source, which the item's name omits: an empty field, both sexes, or FAO. */
const USUAL_PART = /^(|total|FAO TIER 1)$/i;

/** The fields of a figure without missing marks: not 0, which is one with the flag M. */
const NOT_ZERO = { plain: ' *-?(0?[.]0*[1-9][0-9]*|[1-9][0-9]*([.][0-9]+)?) *' };

function planFaostat(opened: OpenedTable, job: DatasetJob & FaoAreas): RowPlan {
  const { batch } = job;
  const table = { ...opened, header: opened.header.map(presentName) };
  const { header, file } = table;
  const refused = (reason: string) => new IngestError(table.dataset, `${file} ${reason}`, { file, row: 1 });
  if (!header.includes('Area') && !header.includes('Reporter Countries'))
    throw refused(
      'has surveys such as "Ghana - 1998-1999" in place of areas and years, so it has no series; a document of your own reads it once it has columns of the region and the date',
    );
  if (!header.includes('Unit'))
    throw refused(
      'has no column "Unit", so tonnes and 1000 tonnes cannot be told apart: on the download page of FAOSTAT, tick "Units" under "Output Formatting Options", or take the bulk download "All Data Normalized"',
    );
  const placesOf = (name: string, prefix: string) => {
    const codes = CODE_SYSTEMS.map((system) => `${prefix} Code${system}`);
    const code = header.findLast((column) => codes.includes(column)) ?? null;
    return TableFields.of(table, { name, m49: `${prefix} Code (M49)?`, code });
  };
  const isMatrix = header.includes('Reporter Countries');
  const item = ITEM_COLUMNS.find((name) => header.includes(name)) ?? null;
  if (item === null && !header.includes('Months')) findColumn(header, 'Item', table);
  const parts = itemParts(header, item);
  const fields = TableFields.of<FaoField>(table, {
    item,
    itemCode: header.find((name) => ITEM_CODE.test(name)) ?? null,
    element: 'Element',
    unit: 'Unit',
    domainCode: 'Domain Code?',
    domain: 'Domain?',
    ...parts,
  });
  const areas = isMatrix ? placesOf('Reporter Countries', 'Reporter Country') : placesOf('Area', 'Area');
  // Codes of donors belong to another system, which also includes institutions.
  const isFlow = header.includes('Donor');
  const partners = isFlow
    ? TableFields.of(table, { name: 'Donor', m49: null, code: null })
    : placesOf('Partner Countries?', 'Partner Country');
  const resolveItem = itemResolver(table, batch);
  const owners = new Map<number, FaoAreaText>();
  const donors = isFlow ? new Map<number, FaoAreaText>() : owners;
  const AREA = ['name', 'm49', 'code'] as const;
  const shared = [
    fields.key(['element', 'unit'], ({ element, unit: written }) => {
      const unit = resolveFaoUnit(written, batch);
      return { metric_id: resolveFaoMetric(element, unit, batch), unit_id: unit.id };
    }),
    fields.key(
      ['item', 'itemCode', 'domainCode', 'domain', ...keysOf(parts)],
      ({ item: name, itemCode, domainCode, domain, ...texts }) => {
        const others = Object.values(texts).filter((part) => !USUAL_PART.test(part));
        const full = [name, ...others].join(', ');
        return {
          item_id: item === null ? TEMPERATURE : resolveItem(full, itemCode, `${domainCode} ${domain}`),
        };
      },
    ),
    areas.key(AREA, (place) => ({ region_id: claimRegion(place, owners, job) })),
    ...(partners.at.name < 0
      ? []
      : [partners.key(AREA, (place) => ({ partner_region_id: claimRegion(place, donors, job) }))]),
  ];
  const figures = header.includes('Year')
    ? [{ column: 'Value', year: 'Year', flag: 'Flag?', note: 'Note?' }]
    : header
        .filter(isYear)
        .map((column) => ({ column, year: null, flag: `${column}F?`, note: `${column}N?` }));
  const values = figures.map(({ column, year, flag, note }, ofValue) => {
    const own = TableFields.of(
      table,
      { value: column, year, flag, note, months: 'Months?' },
      { value: { ofValue } },
    );
    const isColumn = year === null;
    const keys = [
      own.key(['year', 'months'], (text) => parsePeriod({ ...text, year: isColumn ? column : text.year })),
      own.key(['value', 'flag', 'note'], (text) =>
        isColumn && text.value === '' && text.flag === '' ? { notRead: 'empty cells' } : answerFigure(text),
      ),
    ];
    return { column: own.at.value, ...NOT_ZERO, own: keys };
  });
  return planKeys(shared, values);
}

/** The item for temperature change on land. FAOSTAT states no item for it. */
const TEMPERATURE = itemId('Temperature mean');

/** Returns a function that resolves the item of a row. Items of balances are separate from others. */
function itemResolver(table: OpenedTable, batch: BatchBuilder) {
  const { header, file, sample } = table;
  const isBalance = header.some((name) => BALANCE_COLUMN.test(name));
  const isAccounts = ACCOUNTS.test(sample);
  const isHistoric = HISTORIC_FILE.test(file) || firstYear(table) < FIRST_PRESENT_YEAR;
  const balanceOf = (itemCode: string, domain: string): FaoBalance | null => {
    const isNamed = domain.trim() !== '';
    if (isBalance || BALANCE_CODE.test(itemCode) || BALANCE_DOMAIN.test(domain))
      return HISTORIC_DOMAIN.test(domain) || (isHistoric && !isNamed)
        ? 'historic food balances'
        : 'food balances';
    return isAccounts || ACCOUNTS_DOMAIN.test(domain) ? 'supply utilization accounts' : null;
  };
  const codes = new Map<number, string>();
  // Of two codes with one name, the group says that it is one, and any other later code is in the name.
  return (name: string, code: string, domain: string): number => {
    const balance = balanceOf(code, domain);
    const id = resolveFaoItem(GROUP_LIKE_ITEM.test(code) ? `${name}, group` : name, batch, balance);
    if (getOrCompute(codes, id, () => code) === code) return id;
    return resolveFaoItem(`${name} (${code})`, batch, balance);
  };
}

/** Returns the first year in the header, or else in the first rows. */
function firstYear({ header, sample }: OpenedTable): number {
  const at = header.indexOf('Year');
  const rows = at < 0 ? [] : [...splitRecords(sample, 1, { delimiter: ',', quotes: true })];
  const texts = [...header, ...rows.map(({ fields }) => fields[at] ?? '')];
  return Math.min(...texts.map((text) => Number(YEARS.exec(text)?.[1] ?? Number.POSITIVE_INFINITY)));
}

function answerFigure({
  value: text,
  flag,
  note,
}: Readonly<Record<'value' | 'flag' | 'note', string>>): RowAnswer {
  const isBound = /^[<>]\s*[\d.]+$/.test(text);
  const isNull = isBound || text === '' || text === PLAIN_NUMBER;
  const figure = isNull ? null : parseRowNumber(text, 'value');
  // Files write 0 with the flag M; any other figure is one.
  const value = flag === 'M' && figure === 0 ? null : figure;
  return { value, metadata: remarksJson({ flag, note, value: isBound ? text : undefined }) };
}

/** @throws RowError when the area has no name, or another one of the file, by its code, is the same region */
function claimRegion(
  area: FaoAreaText,
  owners: Map<number, FaoAreaText>,
  job: Parameters<typeof resolveFaoArea>[1],
): number {
  if (area.name === '') throw new RowError('the area has no name');
  const id = resolveFaoArea(area, job);
  const owner = getOrCompute(owners, id, () => area);
  if (owner.m49 === area.m49 && owner.code === area.code) return id;
  throw new RowError(
    `the area "${area.name}" (${area.m49 || area.code}) would become one region with "${owner.name}" (${owner.m49 || owner.code})`,
  );
}

const FREQUENCIES: ReadonlyMap<number, number> = new Map([
  [1, frequencyId('annual')],
  [3, frequencyId('3-year')],
  [5, frequencyId('5-year')],
]);

const ALL_YEAR = /^$|annual|^year$/i;
/** A season such as `Dec–Jan–Feb`. Some files have other characters in place of the dashes. */
const SEASON = /^([A-Z][a-z]{2})\W+([A-Z][a-z]{2})\W+([A-Z][a-z]{2})$/;
const DECEMBER = 12;

/**
 * Parses the period of a row: a calendar year, several years ("1999-2001"), a month by its English name, a season, or
 * the meteorological year. The meteorological year begins with the previous December, as its winter does.
 * @throws RowError when the year or month is invalid, or no frequency has that many years
 */
function parsePeriod({ year, months }: { year: string; months: string }): RowAnswer {
  const [, first, last] = YEARS.exec(year) ?? [];
  if (first === undefined) throw new RowError(`the year "${year}" is not a year`);
  const ofYear = Number(first);
  const month = monthByName(months);
  if (month > 0) return { ...monthsPeriod(ofYear, month, 1), frequency_id: frequencyId('monthly') };
  if (/^meteorological year$/i.test(months))
    return { ...monthsPeriod(ofYear - 1, DECEMBER, 12), frequency_id: frequencyId('annual') };
  const [start = 0, ...others] = (SEASON.exec(months) ?? []).slice(1).map(monthByPrefix);
  if (start > 0 && others.every((other, i) => other === ((start + i) % 12) + 1)) {
    const begins = start > 10 ? ofYear - 1 : ofYear;
    return { ...monthsPeriod(begins, start, 3), frequency_id: frequencyId('quarterly') };
  }
  if (!ALL_YEAR.test(months))
    throw new RowError(`the months "${months}" are not a month, a season or a year`);
  const years = Number(last ?? first) - ofYear + 1;
  const frequency = FREQUENCIES.get(years);
  if (frequency === undefined) throw new RowError(`there is no frequency for the years "${year}"`);
  return { ...yearsPeriod(ofYear, years), frequency_id: frequency };
}

async function findBulkFiles(request: string, { listing }: Finding): Promise<PlannedFile[]> {
  const locations = readCatalogue(await listing(ADDRESSES.faostatCatalogue));
  return words(request).map((word) => {
    const location = locations.get(word.toUpperCase());
    if (location === undefined) {
      throw new FetchRequestError(
        `faostat has no "${word}"; it has ${[...locations.keys()].sort().join(', ')}`,
      );
    }
    return namedByPath(new URL(location, ADDRESSES.faostatCatalogue).href);
  });
}

function readCatalogue(text: string): Map<string, string> {
  const locations = new Map<string, string>();
  try {
    const { Datasets } = JSON.parse(text) as {
      Datasets: { Dataset: readonly Record<string, unknown>[] };
    };
    for (const { DatasetCode, FileLocation } of Datasets.Dataset) {
      if (typeof DatasetCode === 'string' && typeof FileLocation === 'string')
        locations.set(DatasetCode.toUpperCase(), FileLocation);
    }
  } catch {
    locations.clear();
  }
  if (locations.size === 0) throw movedError('faostat', ADDRESSES.faostatCatalogue);
  return locations;
}
