import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch-builder.js';
import { rowDay } from '../row-values.js';
import { SOURCES } from '../vocabulary/sources.js';
import { type NassMeasure, nassMeasure } from './measures.js';
import { type NassPeriod, nassPeriod } from './periods.js';
import { NassRegions } from './regions.js';
import { nassMetadata, parseNassValue } from './values.js';

/** The fields of a row that count, under one name for both formats; empty where a format lacks one. */
export interface NassRow {
  readonly program: string;
  readonly commodity: string;
  readonly shortDesc: string;
  readonly domain: string;
  readonly domainCategory: string;
  readonly unit: string;
  readonly level: string;
  readonly state: string;
  readonly stateFips: string;
  readonly district: string;
  readonly districtCode: string;
  readonly county: string;
  readonly countyFips: string;
  readonly location: string;
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

export type NassField = (field: keyof NassRow) => string;

const PROGRAMS: Readonly<Record<string, number>> = {
  SURVEY: SOURCES.nassSurvey.id,
  CENSUS: SOURCES.nassCensus.id,
};

/** Turns rows into points; what rows share (measure, place, period, load time) is worked out once each. */
export class NassRows {
  readonly #regions: NassRegions;
  readonly #batch: BatchBuilder;
  readonly #importedMs: number;
  readonly #measures = new Map<string, NassMeasure>();
  readonly #places = new Map<string, number>();
  readonly #periods = new Map<string, NassPeriod>();
  readonly #loadTimes = new Map<string, number>();

  constructor(
    tree: ReadonlyMap<number, NewEntity<'regions'>>,
    { batch, importedMs }: { batch: BatchBuilder; importedMs: number },
  ) {
    this.#regions = new NassRegions(tree, batch);
    this.#batch = batch;
    this.#importedMs = importedMs;
  }

  /** @throws RowError */
  add(row: NassField): void {
    const source_id = PROGRAMS[row('program')];
    if (source_id === undefined)
      throw new RowError(`the program "${row('program')}" is neither SURVEY nor CENSUS`);
    const { value, code } = parseNassValue(row('value'));
    const period = this.#period(row);
    const { unitId, ...measure } = this.#measure(row, period.span);
    const loadMs = this.#loadMs(row('loadTime'));
    const key = {
      ...measure,
      region_id: this.#place(row),
      partner_region_id: 0,
      source_id,
      frequency_id: period.frequencyId,
    };
    this.#batch.add(key, {
      startMs: period.startMs,
      endMs: period.endMs,
      value,
      unitId,
      reportingMs: period.reportingMs ?? loadMs,
      availableMs: loadMs ?? this.#importedMs,
      metadata: nassMetadata(code, row('variation')),
    });
  }

  #period(row: NassField): NassPeriod {
    const text = {
      year: row('year'),
      period: row('period'),
      weekEnding: row('weekEnding'),
      commodity: row('commodity'),
    };
    return remembered(this.#periods, Object.values(text).join('\t'), () => nassPeriod(text));
  }

  #measure(row: NassField, span: string): NassMeasure {
    const domain = row('domain') === 'TOTAL' ? '' : row('domainCategory');
    const text = { shortDesc: row('shortDesc'), domain, unit: row('unit'), span };
    return remembered(this.#measures, Object.values(text).join('\t'), () => nassMeasure(text, this.#batch));
  }

  #place(row: NassField): number {
    const place = {
      level: row('level'),
      state: row('state'),
      stateFips: row('stateFips'),
      district: row('district'),
      districtCode: row('districtCode'),
      county: row('county'),
      countyFips: row('countyFips'),
      location: row('location') || this.#namedParts(row),
    };
    return remembered(this.#places, Object.values(place).join('\t'), () => this.#regions.regionId(place));
  }

  /** The web export has no location: state, region, watershed and zip code name it together. */
  #namedParts(row: NassField): string {
    return [row('state'), row('region'), row('watershed'), row('zip')]
      .filter((part) => part !== '')
      .join(', ');
  }

  #loadMs(text: string): number | null {
    return text === '' ? null : remembered(this.#loadTimes, text, () => rowDay(text, 'load time'));
  }
}

function remembered<Value>(known: Map<string, Value>, key: string, find: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = find();
    known.set(key, value);
  }
  return value;
}
