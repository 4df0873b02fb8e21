import type { Table } from 'apache-arrow';
import type { Provenance } from '../../../model/provenance.js';
import { SERIES_KEY_FIELDS } from '../../../model/series.js';
import { derivationSteps, readProvenance } from '../../table/provenance.js';
import { type Cell, heading } from './cells.js';

/** The sheet that says where the figures come from: service, sources with licences, units, steps and report. */
export function aboutSheet(table: Table): Cell[][] {
  const provenance = readProvenance(table);
  const steps = derivationSteps(table).map((step): Cell[] => [step]);
  return [
    ...(provenance === null
      ? [['This frame does not say where its figures come from.']]
      : provenanceRows(provenance)),
    ...section('Computed by', [], steps),
  ];
}

function provenanceRows({ retrieved_at, api_host, sources, units, report }: Provenance): Cell[][] {
  return [
    [heading('Retrieved at'), retrieved_at],
    [heading('Service'), api_host ?? null],
    ...section(
      'Sources',
      ['id', 'name', 'full name', 'licence', 'citation', 'url'],
      sources.map((one) => [one.id, one.name, one.longName, one.licence, one.citation, one.url]),
    ),
    ...section(
      'Units',
      ['id', 'name', 'abbreviation'],
      units.map(({ id, name, abbreviation }) => [id, name, abbreviation]),
    ),
    ...section(
      'Report',
      [...SERIES_KEY_FIELDS, 'rows', 'outcome', 'reason', 'truncated', 'from_cache'],
      report.map(({ series, rows, outcome, reason, truncated, from_cache }) => [
        ...SERIES_KEY_FIELDS.map((field) => series[field] ?? null),
        ...[rows, outcome, reason, yesOrNo(truncated), yesOrNo(from_cache)],
      ]),
    ),
  ];
}

function yesOrNo(flag: boolean): string {
  return flag ? 'yes' : 'no';
}

/** A titled list; nothing for an empty one. */
function section(title: string, columns: readonly string[], rows: readonly Cell[][]): Cell[][] {
  if (rows.length === 0) return [];
  return [[], [heading(title)], ...(columns.length > 0 ? [columns.map(heading)] : []), ...rows];
}
