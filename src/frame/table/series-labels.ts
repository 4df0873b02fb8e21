import { NAME_COLUMNS } from './names.js';
import type { SeriesView } from './series-view.js';

/** Short labels for series that are shown together. */
interface SeriesLabels {
  /** The parts that all of them have. */
  shared: string;
  /** For each series, the parts in which it differs from the others. */
  labels: string[];
}

/**
 * Labels of series: names where the frame has them, else ids; the world as partner region is omitted. A unit is abbreviated
 * where the field's metadata has its abbreviation.
 */
export function labelSeries(views: readonly SeriesView[]): SeriesLabels {
  const parts = views.map(partsOf);
  const shared = (parts[0] ?? []).map(
    (part, at) => views.length > 1 && parts.every((other) => other[at] === part),
  );
  const join = (texts: string[]) => texts.filter((text) => text !== '').join(' | ');
  const labels = parts.map((texts) => join(texts.filter((_, at) => !shared[at])));
  return {
    shared: join((parts[0] ?? []).filter((_, at) => shared[at])),
    labels: labels.map((label, at) => label || join(parts[at]!)),
  };
}

function partsOf({ key, names, unit_id }: SeriesView): string[] {
  const parts = NAME_COLUMNS.map(({ column, id }) => {
    if (id === 'partner_region_id' && key[id] === 0) return '';
    return names.get(column) ?? `${id.replace('_id', '')} ${key[id]}`;
  });
  const unit = names.get('unit_abbreviation') ?? names.get('unit_name');
  return [...parts, unit ?? (unit_id === null ? '' : `unit ${unit_id}`)];
}
