import { monthsPeriod, yearsPeriod } from '../../model/calendar.js';
import { frequencyId } from '../../model/frequency.js';
import { PLAIN_NUMBER, type RowAnswer } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { type DatasetJob, defineDataset } from '../dataset.js';
import {
  ADDRESSES,
  FetchRequestError,
  type Finding,
  movedError,
  namedByPath,
  type PlannedFile,
  words,
} from '../fetching/requests.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { monthByName, parseRowNumber, remarksJson } from '../reading/row-values.js';
import { TableFields } from '../reading/table-plan.js';
import type { OpenedTable } from '../reading/tables.js';
import { type CountryNames, foldName, loadCountryNames } from '../regions/names.js';
import { loadRegionTree, type RegionTree } from '../regions/tree.js';
import { itemsByName } from '../vocabulary/items.js';
import { metricId } from '../vocabulary/metrics.js';
import { SOURCES } from '../vocabulary/sources.js';
import { readPairs, readTable } from '../vocabulary/text-table.js';
import { sourceUnit, unitDimension, unitsByText } from '../vocabulary/units.js';
import { type FaoAreaText, resolveFaoArea } from './areas.js';

const COLUMNS = { item: 'Item', element: 'Element', year: 'Year', unit: 'Unit', value: 'Value' } as const;
/** Lists of codes, which zip files contain in addition to the data. */
const SIDE_FILE = /_(AreaCodes|ItemCodes|Elements|Flags|Symbols|NOFLAG)\.csv$/i;

/**
 * FAOSTAT: bulk files in the "Normalized" form (zip or CSV, with the old or the new header) and exports of the web page.
 * The metadata holds flags and notes. A 0 with the flag M (missing) is null; so is a bound such as "<2.5", which is
 * kept in the metadata. Partners of a trade matrix are partner regions. Figures have no date of their own: they are
 * available from their import.
 */
export const faostat = defineDataset<FaoAreas>({
  name: 'faostat',
  summary: 'FAOSTAT: bulk files (Normalized, zip or CSV) and exports of the web page (CSV)',
  sources: [SOURCES.faostat],
  forms: [
    {
      name: 'a file of FAOSTAT in the normalized form (use the download "All Data Normalized"), with the columns Item, Element, Year, Unit and Value',
      matches: (fields) => Object.values(COLUMNS).every((name) => fields.includes(name)),
      plan: planFaostat,
    },
  ],
  fetch: { takes: 'codes of data sets, such as QCL', find: findBulkFiles },
  wantsEntry: (name) => /\.csv$/i.test(name) && !SIDE_FILE.test(name),
  async prepare() {
    const { byId } = await loadRegionTree();
    return { countries: await loadCountryNames(), tree: byId };
  },
});

interface FaoAreas {
  readonly countries: CountryNames;
  readonly tree: RegionTree['byId'];
}

/** Systems of codes other than M49, as headers have them; of several, the last column counts. */
const CODE_SYSTEMS = ['', ' (FAO)', ' (ISO3)', ' (ISO2)'] as const;

/** The columns of the item codes that no two items have. */
const ITEM_CODE = /^Item Code( \((FAO|FBS|CBS)\))?$/;
/** The column of the item codes of balances, and these codes: 2511 (wheat) to 2961 (seafood), with an S since 2022. */
const BALANCE_COLUMN = /^Item Code \([FC]BS\)$/;
const BALANCE_CODE = /^'?S?2[5-9]\d\d$/;
/** The groups of balances that have the name of an item: "Miscellaneous", "Milk - Excluding Butter" and "Eggs". */
const GROUP_LIKE_ITEM = /^'?S?29(28|48|49)$/;
/** The file names and domain codes of balances of the older method. */
const HISTORIC = /historic|^(FBSH|CBH)$/i;
/**
 * Elements that only supply utilization accounts have, and their codes. Their production and trade have the codes of elements
 * and items that the data sets of production and trade have.
 */
const ACCOUNTS = /\b(5016"?,"?Loss|5071"?,"?Stock|5113"?,"?Opening|5141"?,"?Food)/;

/** The fields of a figure without missing marks: not 0, which is one with the flag M. */
const NOT_ZERO = { plain: ' *-?(0?[.]0*[1-9][0-9]*|[1-9][0-9]*([.][0-9]+)?) *' };

function planFaostat(table: OpenedTable, job: DatasetJob & FaoAreas) {
  const { batch } = job;
  const { header, file, sample } = table;
  const placesOf = (name: string, prefix: string) => {
    const codes = CODE_SYSTEMS.map((system) => `${prefix} Code${system}`);
    const code = header.findLast((column) => codes.includes(column)) ?? null;
    return TableFields.of(table, { name, m49: `${prefix} Code (M49)?`, code });
  };
  const isMatrix = header.includes('Reporter Countries');
  const columns = {
    ...COLUMNS,
    months: 'Months?',
    flag: 'Flag?',
    note: 'Note?',
    itemCode: header.find((name) => ITEM_CODE.test(name)) ?? null,
    domain: 'Domain Code?',
  };
  const fields = TableFields.of(table, columns, { value: 'value' });
  const areas = isMatrix ? placesOf('Reporter Countries', 'Reporter Country') : placesOf('Area', 'Area');
  const partners = placesOf('Partner Countries?', 'Partner Country');
  const isBalance = header.some((name) => BALANCE_COLUMN.test(name));
  const isAccounts = ACCOUNTS.test(sample);
  const balanceOf = (itemCode: string, domain: string): FaoBalance | null => {
    if (isBalance || BALANCE_CODE.test(itemCode))
      return HISTORIC.test(file) || HISTORIC.test(domain) ? 'historic food balances' : 'food balances';
    return isAccounts || domain === 'SCL' ? 'supply utilization accounts' : null;
  };
  const codes = new Map<number, string>();
  // Of two codes with one name, the group says that it is one, and any other later code is in the name.
  const item = (name: string, code: string, domain: string): number => {
    const balance = balanceOf(code, domain);
    const id = resolveFaoItem(GROUP_LIKE_ITEM.test(code) ? `${name}, group` : name, batch, balance);
    if (getOrCompute(codes, id, () => code) === code) return id;
    return resolveFaoItem(`${name} (${code})`, batch, balance);
  };
  const owners = new Map<number, FaoAreaText>();
  const region = (place: FaoAreaText): number => claimRegion(place, owners, job);
  const AREA = ['name', 'm49', 'code'] as const;
  return {
    keys: [
      fields.key(['year', 'months'], parsePeriod),
      fields.key(['element', 'unit'], ({ element, unit: written }) => {
        const text = RENAMED_UNITS.get(written) ?? written;
        const unit = { id: resolveFaoUnit(text, batch), text };
        return { metric_id: resolveFaoMetric(element, unit, batch), unit_id: unit.id };
      }),
      fields.key(['item', 'itemCode', 'domain'], ({ item: name, itemCode, domain }) => ({
        item_id: item(name, itemCode, domain),
      })),
      areas.key(AREA, (place) => ({ region_id: region(place) })),
      ...(partners.at.name < 0
        ? []
        : [partners.key(AREA, (place) => ({ partner_region_id: region(place) }))]),
      fields.key(['value', 'flag', 'note'], answerFigure),
    ],
    values: [{ column: fields.at.value, ...NOT_ZERO, keys: [] }],
  };
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

/**
 * The period of a row: a calendar year, several years ("1999-2001"), or a month by its English name; any other text in the
 * place of a month means the whole year.
 * @throws RowError when the year is invalid, or there is no frequency of so many years
 */
function parsePeriod({ year, months }: { year: string; months: string }): RowAnswer {
  const [, first, last] = /^(\d{4})(?:-(\d{4}))?$/.exec(year) ?? [];
  if (first === undefined) throw new RowError(`the year "${year}" is not a year`);
  const month = monthByName(months);
  if (month > 0) return { ...monthsPeriod(Number(first), month, 1), frequency_id: frequencyId('monthly') };
  const years = Number(last ?? first) - Number(first) + 1;
  const frequency = FREQUENCIES.get(years);
  if (frequency === undefined) throw new RowError(`there is no frequency for the years "${year}"`);
  return { ...yearsPeriod(Number(first), years), frequency_id: frequency };
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

/** Metrics of elements (lower case) that other data sets have as well; units of another dimension have another metric. */
const METRICS = new Map(
  readTable(`
    area harvested | Area harvested | area
    yield | Yield | mass per area
    production | Production quantity | mass
    stocks | Livestock count | count
    import quantity | Imports quantity | mass
    export quantity | Exports quantity | mass
    feed | Feed and residual use | mass
    seed | Seed use | mass
    food | Food use | mass
    domestic supply quantity | Domestic use | mass
  `).map(([element, metric, dimension]) => [element!, { id: metricId(metric!), dimension }]),
);

const UNITS = unitsByText(`
  ha = ha; 1000 ha = kha; t = t; tonnes = t; 1000 t = kt; 1000 tonnes = kt; kg/ha = kg/ha; hg/ha = hg/ha;
  100 g/ha = hg/ha; kg = kg; an = head; head = head; 1000 an = 1000 head; 1000 head = 1000 head; no = number;
  1000 no = 1000; millions = million; % = %; °c = °C; mm = mm
`);

/** Units that have another name in the editions since 2022. */
const RENAMED_UNITS = readPairs(
  'hg/An = 100 g/An; 100mg/An = 100 mg/An; 0.1g/An = 0.1 g/An; hg = 100 g; hg/mt = 100 g/t',
);

/** The unit of a row; adds one of FAOSTAT, which does not convert, when the vocabulary has none. */
export function resolveFaoUnit(text: string, batch: BatchBuilder): number {
  const name = text.trim() === '' ? 'no unit' : text.trim();
  const shared = UNITS.get(name.toLowerCase());
  if (shared !== undefined) return shared;
  return batch.addNamedEntity('units', `faostat:unit:${name}`, sourceUnit(name));
}

/** The metric of an element; adds one of FAOSTAT when the vocabulary has none. */
export function resolveFaoMetric(
  element: string,
  unit: { id: number; text: string },
  batch: BatchBuilder,
): number {
  const shared = METRICS.get(element.toLowerCase());
  if (shared !== undefined && unitDimension(unit.id) === shared.dimension) return shared.id;
  // Some elements measure several things in different units: eggs by number and by weight.
  const name = shared === undefined ? element : `${element}, ${unit.text}`;
  const definition = `Element of FAOSTAT: ${name}.`;
  const belongsTo = shared === undefined ? [] : [shared.id];
  return batch.addNamedEntity('metrics', `faostat:metric:${name}`, { name, definition, belongsTo });
}

/**
 * The item of a row; adds one of FAOSTAT when the vocabulary has none. Items are identified by name, because bulk files
 * and web exports have different codes; semicolons and commas are equal.
 * @param balance the balance that the row is of: it has items of its own, because it balances figures, and food balances
 * count products by their primary crop and round, so that their production of "Oats" is another figure
 */
export function resolveFaoItem(text: string, batch: BatchBuilder, balance: FaoBalance | null = null): number {
  const name = text.trim().replaceAll(';', ',');
  const shared = findFaoItem(name);
  if (balance === null && shared !== undefined) return shared;
  const own = balance === null ? name : `${name} (${balance})`;
  const definition = `Item of FAOSTAT: ${own}.`;
  const item = { name: own, definition, belongsTo: shared === undefined ? [] : [shared] };
  return batch.addNamedEntity('items', `faostat:item:${foldName(own)}`, item);
}

/** The balances of FAOSTAT; the historic ones, to 2013, have another method for the same years. */
type FaoBalance = 'food balances' | 'historic food balances' | 'supply utilization accounts';

/**
 * The names of crops in the data sets of production and trade, the present one first. FAOSTAT took over the
 * names of the Central Product Classification: "Rice, paddy" has become "Rice". "Rice, milled" is another item. "Livestock"
 * is an index of FAOSTAT, which had a separate item before the vocabulary had livestock.
 */
const findFaoItem = itemsByName(`
  Maize (corn) = Corn; Maize = Corn; Rice = Rice; Rice, paddy = Rice; Soya beans = Soybeans;
  Soybeans = Soybeans; Rape or colza seed = Rapeseed; Rapeseed = Rapeseed; Cotton seed = Cottonseed;
  Cottonseed = Cottonseed; Groundnuts, excluding shelled = Peanuts; Cotton lint, ginned = Cotton;
  Cotton lint = Cotton; Sugar beet = Sugar beets; Unmanufactured tobacco = Tobacco; Coffee, green = Coffee;
  Soya bean oil = Soybean oil; Oil, soybean = Soybean oil; - = Livestock
`);
