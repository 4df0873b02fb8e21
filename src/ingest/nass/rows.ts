import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { getOrCompute } from '../reading/get-or-compute.js';
import { parseRowDate } from '../reading/row-values.js';
import { SOURCES } from '../vocabulary/sources.js';
import { type NassMeasure, resolveNassMeasure } from './measures.js';
import { type NassPeriod, parseNassPeriod } from './periods.js';
import type { PlainNassColumns, ReadNassRow } from './plain-rows.js';
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

type CodedRegions = Map<string, Map<string, Map<string, Map<string, number>>>>;

/** The columns that `PlainNassRows` compares. */
export function plainColumns(columns: NassColumns): PlainNassColumns {
  const ofTable = (...names: (keyof NassRow)[]) =>
    names.map((name) => columns[name]).filter((column) => column >= 0);
  return {
    value: columns.value,
    measure: ofTable('program', 'commodity', 'shortDesc', 'domain', 'domainCategory', 'unit'),
    place: ofTable('level', 'stateFips', 'districtCode', 'countyFips'),
    period: ofTable('year', 'period', 'weekEnding', 'loadTime', 'commodity'),
    remark: ofTable('variation'),
  };
}

/** A measure with the texts that determine it. */
interface KnownMeasure {
  readonly shortDesc: string;
  readonly part: string;
  readonly category: string;
  readonly unit: string;
  readonly span: string;
  readonly measure: NassMeasure;
}

/** What `NassRows` needs. */
export interface NassJob {
  readonly regions: NassRegions;
  readonly batch: BatchBuilder;
  readonly importedMs: number;
  /** The data item whose series have a metric and an item. */
  readonly owners: Map<string, string>;
}

/** Levels whose places are identified by codes alone. */
const CODED_LEVELS = new Set(['NATIONAL', 'STATE', 'AGRICULTURAL DISTRICT', 'COUNTY']);

/** Adds the rows of one table as points; measures, regions, periods and metadata are resolved once for all rows. */
export class NassRows {
  readonly #measures = new Map<string, NassMeasure>();
  #lastMeasure: KnownMeasure | null = null;
  /** By the codes of county, district and state, one within the other, and by level. */
  readonly #codedRegions: CodedRegions = new Map();
  readonly #regionIds = new Map<string, number>();
  readonly #periods = new Map<string, NassPeriod>();
  readonly #loadTimes = new Map<string, number>();
  readonly #metadataTexts = new Map<string, string | null>();

  readonly #columns: NassColumns;
  readonly #job: NassJob;

  constructor(columns: NassColumns, job: NassJob) {
    this.#columns = columns;
    this.#job = job;
  }

  /** @returns what the row has, which other rows have as well. @throws RowError when the row cannot be used */
  add(fields: readonly string[]): ReadNassRow {
    const columns = this.#columns;
    const job = this.#job;
    const program = text(fields, columns.program);
    const source_id = PROGRAMS.get(program);
    if (source_id === undefined) throw new RowError(`the program "${program}" is neither SURVEY nor CENSUS`);
    const { value, code } = parseNassValue(text(fields, columns.value));
    const period = this.#period(fields);
    const measure = this.#measure(fields, period.span);
    const loadMs = this.#loadMs(text(fields, columns.loadTime));
    const region_id = this.#regionId(fields);
    const key = {
      metric_id: measure.metricId,
      item_id: measure.itemId,
      region_id,
      partner_region_id: 0,
      source_id,
      frequency_id: period.frequencyId,
    };
    const metadata = this.#metadata(code, text(fields, columns.variation));
    job.batch.addPoint(key, {
      startMs: period.startMs,
      endMs: period.endMs,
      value,
      unitId: measure.unitId,
      reportingMs: period.reportingMs ?? loadMs,
      availableMs: loadMs ?? job.importedMs,
      metadata,
    });
    const codedRegionId = CODED_LEVELS.has(text(fields, columns.level)) ? region_id : null;
    const remark = code === null ? { text: metadata } : null;
    return { sourceId: source_id, measure, codedRegionId, period, loadMs, remark };
  }

  /** The year identifies most periods; weeks and marketing years need more fields. */
  #period(fields: readonly string[]): NassPeriod {
    const columns = this.#columns;
    const year = text(fields, columns.year);
    const period = text(fields, columns.period);
    const weekEnding = period.startsWith('WEEK') ? text(fields, columns.weekEnding) : '';
    const commodity = period === 'MARKETING YEAR' ? text(fields, columns.commodity) : '';
    const key = period === 'YEAR' ? year : `${year} ${period} ${weekEnding} ${commodity}`;
    return getOrCompute(this.#periods, key, () => parseNassPeriod({ year, period, weekEnding, commodity }));
  }

  /** Neighbouring rows nearly always have one measure. */
  #measure(fields: readonly string[], span: string): NassMeasure {
    const columns = this.#columns;
    const shortDesc = text(fields, columns.shortDesc);
    const part = text(fields, columns.domain);
    const category = part === 'TOTAL' ? '' : text(fields, columns.domainCategory);
    const unit = text(fields, columns.unit);
    const last = this.#lastMeasure;
    const isLast = last?.shortDesc === shortDesc && last.unit === unit && last.span === span;
    if (isLast && last.part === part && last.category === category) return last.measure;
    const domain = part === 'TOTAL' ? '' : category || part;
    const measure = getOrCompute(this.#measures, `${shortDesc}\t${unit}\t${domain}\t${span}`, () => {
      const found = resolveNassMeasure({ shortDesc, domain, unit, span }, this.#job.batch);
      const name = [shortDesc, domain, span].filter((one) => one !== '').join('; ');
      claimSeries(found, name, this.#job.owners);
      return found;
    });
    this.#lastMeasure = { shortDesc, part, category, unit, span, measure };
    return measure;
  }

  #regionId(fields: readonly string[]): number {
    const columns = this.#columns;
    const level = text(fields, columns.level);
    const state = text(fields, columns.stateFips);
    const district = text(fields, columns.districtCode);
    const county = text(fields, columns.countyFips);
    if (!CODED_LEVELS.has(level)) {
      const key = `${level} ${state} ${district} ${county}\t${this.#location(fields)}`;
      return getOrCompute(this.#regionIds, key, () => this.#resolveRegion(fields, level));
    }
    const counties =
      this.#codedRegions.get(level)?.get(state)?.get(district) ?? this.#addCodes(level, state, district);
    const known = counties.get(county);
    if (known !== undefined) return known;
    const id = this.#resolveRegion(fields, level);
    counties.set(county, id);
    return id;
  }

  #addCodes(level: string, state: string, district: string): Map<string, number> {
    const states = getOrCompute(this.#codedRegions, level, () => new Map());
    const districts = getOrCompute(states, state, () => new Map());
    return getOrCompute(districts, district, () => new Map<string, number>());
  }

  #resolveRegion(fields: readonly string[], level: string): number {
    const columns = this.#columns;
    const job = this.#job;
    return job.regions.resolve({
      level,
      state: text(fields, columns.state),
      stateFips: text(fields, columns.stateFips),
      district: text(fields, columns.district),
      districtCode: text(fields, columns.districtCode),
      county: text(fields, columns.county),
      countyFips: text(fields, columns.countyFips),
      location: this.#location(fields),
    });
  }

  /** The web export has no column of the location: state, region, watershed and zip code identify it together. */
  #location(fields: readonly string[]): string {
    const columns = this.#columns;
    const { state, region, watershed, zip } = columns;
    const parts = [state, region, watershed, zip].map((column) => text(fields, column));
    return text(fields, columns.location) || parts.filter((part) => part !== '').join(', ');
  }

  #loadMs(time: string): number | null {
    return time === '' ? null : getOrCompute(this.#loadTimes, time, () => parseRowDate(time, 'load time'));
  }

  #metadata(code: string | null, variation: string): string | null {
    if (code === null && variation === '') return null;
    const key = code === null ? variation : `\0${code}\0${variation}`;
    return getOrCompute(this.#metadataTexts, key, () => formatNassMetadata(code, variation));
  }
}

function text(fields: readonly string[], column: number): string {
  return column < 0 ? '' : fields[column]!;
}

/** @throws RowError when another data item has the same metric and item: their figures would become one series */
function claimSeries({ metricId, itemId }: NassMeasure, name: string, owners: Map<string, string>): void {
  const owner = getOrCompute(owners, `${metricId} ${itemId}`, () => name);
  if (owner === name) return;
  throw new RowError(`"${name}" would become one series with "${owner}"; import them into separate stores`);
}
