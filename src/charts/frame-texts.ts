import type { Table } from 'apache-arrow';
import { creditOfSeries } from '../frame/display/credit.js';
import { readColumn } from '../frame/table/columns.js';
import { NAME_COLUMNS } from '../frame/table/names.js';
import type { SeriesView } from '../frame/table/series-view.js';
import { type SeriesLabel, type SeriesNames, seriesLabels } from '../model/names/short-labels.js';
import type { Provenance } from '../model/provenance.js';

/** Abbreviation of the unit of a series, or the nearest to it that the frame has. */
export function unitOf({ unit_id, names }: SeriesView, provenance: Provenance | null): string {
  if (unit_id === null) return 'no unit';
  const known = provenance?.units.find(({ id }) => id === unit_id)?.abbreviation;
  const name = known ?? names.get('unit_abbreviation') ?? names.get('unit_name') ?? String(unit_id);
  return name === String(unit_id) ? `unit ${unit_id}` : name;
}

/**
 * The common parts of the series are the title and subtitle, the differing parts their labels. The source is credited
 * below.
 */
export function nameViews(views: readonly SeriesView[]): {
  title: string;
  subtitle: string;
  labels: SeriesLabel[];
} {
  const names = views.map(namesOf);
  const [metric, item, region, partner, frequency] = [0, 1, 2, 3, 4].map((place) => {
    const [first = ''] = names.map((one) => one[place]!);
    return names.every((one) => one[place] === first) ? first : '';
  });
  const common = [metric, item, region, partner].filter((name) => name !== '');
  const title = (common.length > 0 ? common : distinctNames(views, 'metric_name')).join(' · ') || 'Series';
  return {
    title,
    subtitle: frequency ?? '',
    labels: seriesLabels(names).map((one) => (one.label === '' ? { label: title, fullLabel: title } : one)),
  };
}

/** The gaps of a weighted average, shown above its chart with any subtitle; empty for others. */
export function weightNote(table: Table): string {
  if (!table.schema.fields.some(({ name }) => name === 'weight_present')) return '';
  const present = readColumn(table, 'weight_present', 'float64').values;
  const lacking = present.filter((weight) => weight < 1 - ROUNDING);
  if (lacking.length === 0) return '';
  const percent = Math.floor(Math.min(...lacking) * 100);
  return `${lacking.length} of ${present.length} periods lack regions (at least ${percent} % of the weight has a value)`;
}

/** Of shares that sum to 1. */
const ROUNDING = 1e-9;

/** The names of a series, or its ids where it has none. */
export function namesOf({ key, names }: Pick<SeriesView, 'key' | 'names'>): SeriesNames {
  return NAME_COLUMNS.map(({ column, id }) =>
    id === 'partner_region_id' && key[id] === 0
      ? ''
      : (names.get(column) ?? `${id.replace('_id', '')} ${key[id]}`),
  ) as unknown as SeriesNames;
}

/** The different names in a column, where they are few. */
function distinctNames(views: readonly SeriesView[], column: string): string[] {
  const names = [...new Set(views.flatMap((view) => view.names.get(column) ?? []))];
  return names.length > 3 ? [] : [names.join(', ')];
}

/** The line below a chart: the given source, or those of the drawn series. */
export function sourceLine(
  given: string | undefined,
  views: readonly SeriesView[],
  provenance: Provenance | null,
): string | undefined {
  const credit = given ?? creditOfSeries(views, provenance);
  return credit === undefined ? undefined : `Source: ${credit}`;
}
