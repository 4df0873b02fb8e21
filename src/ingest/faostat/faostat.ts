import { BatchBuilder, RowError } from '../batch/batch-builder.js';
import type { ImportBatch, Importer, ImporterInput } from '../importer.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { parseRowNumber } from '../reading/row-values.js';
import {
  findColumn,
  findColumns,
  isTable,
  type RowReader,
  readTables,
  type TableFormat,
  type TableKind,
} from '../reading/tables.js';
import { readReferenceData } from '../reference-data.js';
import { REGION_ID_RANGES } from '../regions/ids.js';
import { loadCountryNames } from '../regions/names.js';
import { loadRegionTree } from '../regions/tree.js';
import { SOURCES } from '../vocabulary/sources.js';
import { type FaoAreaText, resolveFaoArea } from './areas.js';
import { type FaoBalance, resolveFaoItem, resolveFaoMetric, resolveFaoUnit } from './measures.js';
import { parseFaoPeriod } from './periods.js';

const DATASET = 'faostat';

/**
 * FAOSTAT: bulk files in the "Normalized" form (zip or CSV, with the old or the new header) and exports of the web page.
 * The metadata holds flags and notes. A 0 with the flag M (missing) is null; so is a bound such as "<2.5", which is
 * kept in the metadata. Partners of a trade matrix are partner regions. Figures have no date of their own: they are
 * available from their import.
 */
export const faostat: Importer = {
  dataset: DATASET,
  summary: 'FAOSTAT: bulk files (Normalized, zip or CSV) and exports of the web page (CSV)',
  needsFiles: true,
  recognises: (beginning) => isTable([KIND], beginning),
  read: readFaostat,
};

/** Lists of codes, which zip files contain in addition to the data. */
const SIDE_FILE = /_(AreaCodes|ItemCodes|Elements|Flags|Symbols|NOFLAG)\.csv$/i;

const COLUMNS = { item: 'Item', element: 'Element', year: 'Year', unit: 'Unit', value: 'Value' } as const;

const KIND: TableKind = {
  name: 'a file of FAOSTAT',
  delimiter: ',',
  quotes: true,
  matches: (fields) => Object.values(COLUMNS).every((name) => fields.includes(name)),
};

async function* readFaostat({
  files,
  importedMs,
  identities,
  signal,
}: ImporterInput): AsyncGenerator<ImportBatch> {
  yield* readReferenceData([SOURCES.faostat]);
  const batch = await BatchBuilder.create({ identities });
  const [minCountry, maxCountry] = REGION_ID_RANGES.country;
  const { regions } = await loadRegionTree();
  const known = new Set(regions.map(({ id }) => id).filter((id) => id >= minCountry && id <= maxCountry));
  const areas = { countries: await loadCountryNames(), batch, known };
  const format: TableFormat = {
    ...KIND,
    createRowReader: (header, { name }) => new FaoRows(header, name, { batch, importedMs, areas }).reader,
  };
  const wantsEntry = (name: string): boolean => /\.csv$/i.test(name) && !SIDE_FILE.test(name);
  yield* readTables({ dataset: DATASET, files, signal, wantsEntry }, [format], batch);
}

interface FaoJob {
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  readonly areas: Parameters<typeof resolveFaoArea>[1];
}

/** Systems of codes other than M49, as headers have them. */
const CODE_SYSTEMS = ['', ' (FAO)', ' (ISO3)', ' (ISO2)'] as const;

/** Columns of the item codes of balances, and these codes: 2511 (wheat) to 2961 (seafood), with an S since 2022. */
const BALANCE_COLUMNS = ['Item Code (FBS)', 'Item Code (CBS)'];
const BALANCE_CODE = /^'?S?2[5-9]\d\d$/;
/** The file names and domain codes of balances of the older method. */
const HISTORIC = /historic|^(FBSH|CBH)$/i;

/** The columns of an area; -1 for codes that the file does not have. */
interface AreaColumns {
  readonly name: number;
  readonly m49: number;
  readonly code: number;
}

class FaoRows {
  readonly #job: FaoJob;
  readonly #at: Readonly<Record<keyof typeof COLUMNS, number>>;
  readonly #optional: Readonly<Record<'months' | 'flag' | 'note', number>>;
  readonly #itemCode: number;
  readonly #balance: { readonly always: boolean; readonly historic: boolean; readonly domain: number };
  readonly #area: AreaColumns;
  readonly #partner: AreaColumns | null;
  readonly #areas = new Map<string, number>();
  readonly #owners = new Map<number, FaoAreaText>();

  constructor(header: readonly string[], file: string, job: FaoJob) {
    const where = { dataset: DATASET, file };
    const at = (name: string): number => findColumn(header, name, where);
    this.#job = job;
    this.#at = findColumns(header, COLUMNS, where);
    const optional = (name: string): number => header.indexOf(name);
    this.#optional = { months: optional('Months'), flag: optional('Flag'), note: optional('Note') };
    this.#itemCode = optional('Item Code');
    this.#balance = {
      always: BALANCE_COLUMNS.some((name) => header.includes(name)),
      historic: HISTORIC.test(file),
      domain: optional('Domain Code'),
    };
    const area = (name: string, prefix: string): AreaColumns => ({
      name: at(name),
      m49: optional(`${prefix} Code (M49)`),
      code: Math.max(...CODE_SYSTEMS.map((system) => optional(`${prefix} Code${system}`))),
    });
    this.#partner = header.includes('Partner Countries')
      ? area('Partner Countries', 'Partner Country')
      : null;
    this.#area = header.includes('Reporter Countries')
      ? area('Reporter Countries', 'Reporter Country')
      : area('Area', 'Area');
  }

  readonly reader: RowReader = (fields) => {
    const { batch, importedMs } = this.#job;
    const unitText = fields[this.#at.unit]!;
    const unit = { id: resolveFaoUnit(unitText, batch), text: unitText };
    const period = parseFaoPeriod(fields[this.#at.year]!, this.#text(fields, this.#optional.months));
    const key = {
      metric_id: resolveFaoMetric(fields[this.#at.element]!.trim(), unit, batch),
      item_id: resolveFaoItem(fields[this.#at.item]!, batch, this.#balanceOf(fields)),
      region_id: this.#region(fields, this.#area),
      partner_region_id: this.#partner === null ? 0 : this.#region(fields, this.#partner),
      source_id: SOURCES.faostat.id,
      frequency_id: period.frequencyId,
    };
    const { startMs, endMs } = period;
    const { value, metadata } = this.#value(fields);
    batch.addPoint(key, {
      startMs,
      endMs,
      value,
      metadata,
      unitId: unit.id,
      reportingMs: null,
      availableMs: importedMs,
    });
  };

  #balanceOf(fields: readonly string[]): FaoBalance | null {
    const { always, historic, domain } = this.#balance;
    if (!always && !BALANCE_CODE.test(this.#text(fields, this.#itemCode))) return null;
    const isHistoric = historic || HISTORIC.test(this.#text(fields, domain));
    return isHistoric ? 'historic food balances' : 'food balances';
  }

  #value(fields: readonly string[]): { value: number | null; metadata: string | null } {
    const text = fields[this.#at.value]!.trim();
    const flag = this.#text(fields, this.#optional.flag);
    const note = this.#text(fields, this.#optional.note);
    const isBound = /^[<>]\s*[\d.]+$/.test(text);
    const figure = text === '' || isBound ? null : parseRowNumber(text, 'value');
    // Files write 0 beside the flag M; any other figure is one.
    const value = flag === 'M' && figure === 0 ? null : figure;
    if (flag === '' && note === '' && !isBound) return { value, metadata: null };
    const remarks = { flag: flag || undefined, note: note || undefined, value: isBound ? text : undefined };
    return { value, metadata: JSON.stringify(remarks) };
  }

  #region(fields: readonly string[], columns: AreaColumns): number {
    const area = {
      name: fields[columns.name]!.trim(),
      m49: this.#text(fields, columns.m49),
      code: this.#text(fields, columns.code),
    };
    if (area.name === '') throw new RowError('the area has no name');
    const text = `${area.name}|${area.m49}|${area.code}`;
    return getOrCompute(this.#areas, text, () => this.#claimRegion(area));
  }

  /** @throws RowError when another area of the file, by its code, is the same region */
  #claimRegion(area: FaoAreaText): number {
    const id = resolveFaoArea(area, this.#job.areas);
    const owner = getOrCompute(this.#owners, id, () => area);
    if (owner.m49 === area.m49 && owner.code === area.code) return id;
    throw new RowError(
      `the area "${area.name}" (${area.m49 || area.code}) would become one region with "${owner.name}" (${owner.m49 || owner.code})`,
    );
  }

  #text(fields: readonly string[], at: number): string {
    return at < 0 ? '' : fields[at]!.trim();
  }
}
