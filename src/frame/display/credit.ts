import type { Table } from 'apache-arrow';
import type { Source } from '../../model/entity.js';
import type { Provenance } from '../../model/provenance.js';
import type { NamedSeries } from '../table/names.js';
import { readProvenance } from '../table/provenance.js';
import { frameSeries } from '../table/series-view.js';

/** Returns the names and licences of the sources of a frame's values. */
export function creditOf(table: Table): string {
  return sourcesOf(frameSeries(table), readProvenance(table)).map(textOf).join('; ');
}

/** Returns the sources of series, or all sources if there are no series or one of them has several sources. */
export function sourcesOf(
  series: readonly Pick<NamedSeries, 'key'>[],
  provenance: Provenance | null,
): readonly Source[] {
  const used = new Set(series.map(({ key }) => key.source_id));
  // A sum over several sources has source id 0.
  const isOfAll = used.size === 0 || used.has(0);
  return (provenance?.sources ?? []).filter(({ id }) => isOfAll || used.has(id));
}

function textOf({ name, licence }: Source): string {
  return licence === '' || licence === undefined ? name : withDetail(name, licence);
}

/** Appends a detail in brackets, or after a comma if the detail itself contains brackets. */
export function withDetail(text: string, detail: string): string {
  return detail.includes('(') ? `${text}, ${detail}` : `${text} (${detail})`;
}
