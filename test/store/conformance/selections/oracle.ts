import { isValid } from '../../../../src/columns/bitmap.js';
import type { VintageColumns } from '../../../../src/columns/point-columns.js';
import { addByKey } from '../../../../src/compute/sums.js';
import { FREQUENCIES } from '../../../../src/model/frequency.js';
import type { SelectionLists } from '../../../../src/model/selection.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES, type SeriesKey } from '../../../../src/model/series.js';
import type { FacetPlan, SeriesPlan, Sum, SumPlan, VintageDate } from '../../../../src/store/plan.js';
import { chooseRevisions, mergeVintages } from '../revision-rules.js';
import { ITEMS, METRICS, newPoints, REGIONS, rowsOf, SOURCES, UNITS, type Vintage } from '../sample-data.js';
import { describeSeries, inKeyOrder, nameOf } from './asked-store.js';
import type { Case } from './cases.js';

const LATEST = { history: 'latest', startMs: null, endMs: null, atMs: null, sinceMs: null } as const;

const NAMES = {
  metrics: METRICS,
  items: ITEMS,
  regions: REGIONS,
  sources: SOURCES,
  frequencies: FREQUENCIES,
  units: UNITS,
} as const;

/** Answers by the definitions, from the vintages that were imported. No engine takes part. */
export class Oracle {
  readonly #keys: SeriesKey[] = [];
  #vintages = withMetadata(newPoints([]).columns);

  /** @returns what the import counts */
  import(vintages: readonly Vintage[], importedMs: number) {
    const { series, columns } = newPoints(vintages);
    const positions = series.map((key) => this.#positionOf(key));
    const incoming = withMetadata(columns);
    const numbered = {
      ...incoming,
      series: Uint32Array.from(columns.series, (number) => positions[number]!),
    };
    const { vintages: merged, ...counts } = mergeVintages(this.#vintages, numbered, importedMs);
    this.#vintages = merged;
    return counts;
  }

  answer(one: Case): unknown {
    switch (one.asked) {
      case 'series':
        return inKeyOrder(
          this.#selected(one.plan).map((position) => [this.#name(position), this.#summary(position)]),
        );
      case 'combinations':
        return this.#combinations(one.plan);
      case 'facets':
        return this.#facets(one.plan);
      case 'vintages':
        return this.#dates(new Set(this.#selected(one.plan)), one.limit);
      case 'sums':
        return this.#sums(one.plan);
      case 'units':
        return this.#units(one.metrics, one.items);
      case 'points':
        return this.#points(one);
    }
  }

  #positionOf(key: SeriesKey): number {
    const known = this.#keys.findIndex((one) => nameOf(one) === nameOf(key));
    return known === -1 ? this.#keys.push(key) - 1 : known;
  }

  #name(position: number): string {
    return nameOf(this.#keys[position]!);
  }

  /** The rows of a choice of vintages, as positions of series and rows for comparisons. */
  #rows(rule: Parameters<typeof chooseRevisions>[1] = LATEST) {
    const columns = chooseRevisions(this.#vintages, rule);
    return rowsOf(columns).map((row, at) => ({
      row,
      key: this.#keys[row.series]!,
      startMs: Number(columns.start_date[at]),
      endMs: Number(columns.end_date[at]),
      value: isValid(columns.value_valid, at) ? columns.value[at]! : null,
    }));
  }

  /** The series of a plan that have a point: a contradicted one never comes to be. */
  #selected({ selection }: SeriesPlan): number[] {
    return [...new Set(this.#vintages.series)].filter((position) => meets(this.#keys[position]!, selection));
  }

  #summary(position: number) {
    const own = this.#rows().filter(({ row }) => row.series === position);
    const latest = [...new Set(own.map(({ row }) => row.unit))]
      .map((unit) => ({ unit, of: own.filter(({ row }) => row.unit === unit) }))
      .map(({ unit, of }) => ({ unit, start: maxOf(of, 'startMs'), end: maxOf(of, 'endMs') }))
      .sort((a, b) => b.start - a.start || b.end - a.end || a.unit - b.unit)[0]!;
    return describeSeries({
      unit_id: latest.unit,
      startMs: Math.min(...own.map(({ startMs }) => startMs)),
      endMs: maxOf(own, 'endMs'),
      pointCount: own.length,
    });
  }

  #combinations(plan: SeriesPlan) {
    const fields = ['metric_id', 'item_id', 'region_id', 'source_id'] as const;
    const keys = this.#selected(plan).map((position) => this.#keys[position]!);
    const distinct = new Map(keys.map((key) => [fields.map((field) => key[field]).join(), key]));
    const compare = (a: SeriesKey, b: SeriesKey) => {
      const field = fields.find((field) => a[field] !== b[field])!;
      return a[field] - b[field];
    };
    return [...distinct.values()]
      .sort(compare)
      .map((key) => Object.fromEntries(fields.map((field) => [field, key[field]])));
  }

  #facets({ selection, fields, limit }: FacetPlan) {
    const all = this.#selected({ selection: {} }).map((position) => this.#keys[position]!);
    const counted = fields.map((field) => {
      const { [field]: own, ...others } = selection;
      const counts = new Map<number, number>();
      for (const key of all)
        if (meets(key, others)) counts.set(key[field], (counts.get(key[field]) ?? 0) + 1);
      const sorted = [...counts].sort(
        ([a, m], [b, n]) => n - m || compareTexts(nameOfId(field, a), nameOfId(field, b)) || a - b,
      );
      return {
        field,
        counts: sorted.filter(([id], at) => limit === null || at < limit || own?.includes(id)),
        values: counts.size,
        total: sorted.reduce((sum, [, series]) => sum + series, 0),
      };
    });
    return { series: all.filter((key) => meets(key, selection)).length, counted };
  }

  #dates(selected: ReadonlySet<number>, limit: number) {
    const { series, available_date, reporting_date, reporting_valid } = this.#vintages;
    const rows = [...series.keys()].filter((row) => selected.has(series[row]!));
    const reported = rows.filter((row) => isValid(reporting_valid, row));
    return {
      points: rows.length,
      available: latestOf(
        rows.map((row) => Number(available_date[row])),
        limit,
      ),
      reporting: latestOf(
        reported.map((row) => Number(reporting_date[row])),
        limit,
      ),
    };
  }

  #sums({ selection, startMs, endMs }: SumPlan) {
    const values: Sum[] = [];
    for (const { row, key, value } of this.#rows({ ...LATEST, startMs, endMs })) {
      if (value === null || !meets(key, selection)) continue;
      const { partner_region_id: _, ...fields } = key;
      values.push({ ...fields, unit_id: row.unit, value });
    }
    return inKeyOrder(addByKey(values).map((sum) => [JSON.stringify(sum, Object.keys(sum).sort()), sum]));
  }

  #units(metric_id: readonly number[], item_id: readonly number[] | null): number[] {
    const selection = item_id === null ? { metric_id } : { metric_id, item_id };
    const used = new Set(this.#rows().flatMap(({ row, key }) => (meets(key, selection) ? [row.unit] : [])));
    const converts = UNITS.filter(({ baseConvFactor: { factor } }) => factor !== undefined);
    const dimensions = new Set(
      converts.flatMap(({ id, dimension }) => (used.has(id) && dimension !== undefined ? [dimension] : [])),
    );
    return UNITS.filter(
      (unit) => used.has(unit.id) || (converts.includes(unit) && dimensions.has(unit.dimension!)),
    ).map(({ id }) => id);
  }

  #points({ plan, rule }: Extract<Case, { readonly asked: 'points' }>) {
    const selected = new Set(this.#selected(plan));
    const bySeries = new Map<number, unknown[]>();
    for (const { row } of this.#rows(rule)) {
      const { series, available, metadata, ...rest } = row;
      if (!selected.has(series)) continue;
      const own = bySeries.get(series) ?? [];
      bySeries.set(series, own);
      own.push({
        ...rest,
        ...(rule.withAvailableDate && { available }),
        ...(rule.withMetadata && { metadata }),
      });
    }
    return inKeyOrder([...bySeries].map(([position, own]) => [this.#name(position), own]));
  }
}

function withMetadata(columns: VintageColumns): VintageColumns {
  return { ...columns, metadata: columns.metadata ?? Array<null>(columns.length).fill(null) };
}

function meets(key: SeriesKey, selection: SelectionLists): boolean {
  return SERIES_KEY_FIELDS.every((field) => selection[field]?.includes(key[field]) ?? true);
}

function nameOfId(field: keyof SeriesKey, id: number): string {
  return NAMES[SERIES_KEY_TYPES[field]].find((entity) => entity.id === id)!.name;
}

function latestOf(dates: readonly number[], limit: number) {
  const counts = new Map<number, number>();
  for (const ms of dates) counts.set(ms, (counts.get(ms) ?? 0) + 1);
  const all = [...counts].sort(([a], [b]) => a - b).map(([ms, points]): VintageDate => ({ ms, points }));
  return { dates: all.slice(-limit), total: all.length };
}

function maxOf(rows: readonly { startMs: number; endMs: number }[], field: 'startMs' | 'endMs'): number {
  return Math.max(...rows.map((row) => row[field]));
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
