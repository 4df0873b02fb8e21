import type { Table } from 'apache-arrow';
import type { Source } from '../../model/entity.js';
import { readProvenance } from '../table/provenance.js';
import { frameSeries } from '../table/series-view.js';

/** Returns the names and licences of the sources of a frame's values. */
export function creditOf(table: Table): string {
  return sourcesOf(table).map(textOf).join('; ');
}

/** Returns the sources of a frame's series, or all sources if a series has several or the table has no series. */
export function sourcesOf(table: Table): readonly Source[] {
  const used = new Set(frameSeries(table).map(({ key }) => key.source_id));
  // A sum over several sources has source id 0.
  const isOfAll = used.size === 0 || used.has(0);
  return (readProvenance(table)?.sources ?? []).filter(({ id }) => isOfAll || used.has(id));
}

function textOf({ name, licence }: Source): string {
  return licence === '' || licence === undefined ? name : withDetail(name, licence);
}

/** Appends a detail in brackets, or after a comma if the detail itself contains brackets. */
export function withDetail(text: string, detail: string): string {
  return detail.includes('(') ? `${text}, ${detail}` : `${text} (${detail})`;
}
