import type { Table } from 'apache-arrow';
import type { Source } from '../../model/entity.js';
import { readProvenance } from '../table/provenance.js';
import { frameSeries } from '../table/series-view.js';

/** Returns the names and licences of the sources of a frame's series; of all its sources if a series has several. */
export function creditOf(table: Table): string {
  const drawn = new Set(frameSeries(table).map(({ key }) => key.source_id));
  // A sum over several sources has source id 0. A frame without series has no source ids.
  const isOfAll = drawn.size === 0 || drawn.has(0);
  const sources = (readProvenance(table)?.sources ?? []).filter(({ id }) => isOfAll || drawn.has(id));
  return sources.map(textOf).join('; ');
}

function textOf({ name, licence }: Source): string {
  return licence === '' || licence === undefined ? name : withDetail(name, licence);
}

/** Appends a detail in brackets, or after a comma if the detail itself contains brackets. */
export function withDetail(text: string, detail: string): string {
  return detail.includes('(') ? `${text}, ${detail}` : `${text} (${detail})`;
}
