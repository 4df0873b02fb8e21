import { type SeriesLabel, shortLabels } from '../frame/series/short-labels.js';
import { NAME_COLUMNS } from '../frame/table/names.js';
import type { SeriesView } from '../frame/table/series-view.js';
import type { Source } from '../model/entity.js';
import type { Provenance } from '../model/provenance.js';

/** Abbreviation of the unit of a series, or the nearest to it that the frame has. */
export function unitOf({ unit_id, names }: SeriesView, provenance: Provenance | null): string {
  if (unit_id === null) return 'no unit';
  const known = provenance?.units.find(({ id }) => id === unit_id)?.abbreviation;
  const name = known ?? names.get('unit_abbreviation') ?? names.get('unit_name') ?? String(unit_id);
  return name === String(unit_id) ? `unit ${unit_id}` : name;
}

/** A text with what belongs to it in brackets, or after a comma where that has brackets of its own. */
export function withDetail(text: string, detail: string): string {
  return detail.includes('(') ? `${text}, ${detail}` : `${text} (${detail})`;
}

/** What of a series is said in the title, where all have it in common, and what below the title. */
const TITLE_COLUMNS = new Set(['item_name', 'metric_name', 'region_name', 'partner_region_name']);

/** What the series have in common is the title and subtitle, what differs is their labels. The source is credited below. */
export function nameViews(views: readonly SeriesView[]): {
  title: string;
  subtitle: string;
  labels: SeriesLabel[];
} {
  const columns = NAME_COLUMNS.map(({ column, id }) => ({
    column,
    texts: views.map(({ key, names }) => {
      if (id === 'partner_region_id' && key[id] === 0) return '';
      return names.get(column) ?? `${id.replace('_id', '')} ${key[id]}`;
    }),
  })).map((one) => ({ ...one, shared: one.texts.every((text) => text === one.texts[0]) }));
  const sharedTexts = (wanted: (column: string) => boolean) =>
    columns.flatMap(({ column, texts, shared }) =>
      shared && wanted(column) && texts[0] !== '' ? [texts[0]!] : [],
    );
  const shared = sharedTexts((column) => TITLE_COLUMNS.has(column));
  const title = (shared.length > 0 ? shared : distinctNames(views, 'metric_name')).join(' · ') || 'Series';
  const labels = shortLabels(
    columns.filter(({ shared }) => !shared).map(({ texts }) => texts),
    views.length,
  );
  return {
    title,
    subtitle: sharedTexts((column) => column === 'frequency_name').join(' · '),
    labels: labels.map((one) => (one.label === '' ? { label: title, fullLabel: title } : one)),
  };
}

/** The different names in a column, where they are few. */
function distinctNames(views: readonly SeriesView[], column: string): string[] {
  const names = [...new Set(views.flatMap((view) => view.names.get(column) ?? []))];
  return names.length > 3 ? [] : [names.join(', ')];
}

/** The sources of the drawn series, with their terms of use. */
export function creditOf(views: readonly SeriesView[], provenance: Provenance | null): string | undefined {
  const drawn = new Set(views.map(({ key }) => key.source_id));
  const known = provenance?.sources ?? [];
  const sources = drawn.has(0) ? known : known.filter(({ id }) => drawn.has(id));
  return sources.length === 0 ? undefined : `Source: ${sources.map(creditText).join('; ')}`;
}

function creditText({ name, licence }: Source): string {
  return licence === '' || licence === undefined ? name : withDetail(name, licence);
}
