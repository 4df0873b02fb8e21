import type { Table } from 'apache-arrow';
import type { Source } from '../../model/entity.js';
import { readProvenance, sourcesOf } from '../table/provenance.js';
import { frameSeries } from '../table/series-view.js';

/** Returns the names and licences of a frame's sources. */
export function creditOf(table: Table): string {
  return sourcesOf(frameSeries(table), readProvenance(table)).map(textOf).join('; ');
}

function textOf({ name, licence }: Source): string {
  return licence ? withDetail(name, licence === 'unknown' ? 'licence not stated' : licence) : name;
}

/** Appends a detail in parentheses, or after a comma if the detail itself contains parentheses. */
export function withDetail(text: string, detail: string): string {
  return detail.includes('(') ? `${text}, ${detail}` : `${text} (${detail})`;
}
