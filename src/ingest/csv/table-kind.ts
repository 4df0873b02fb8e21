import { JSON_RECORDS } from '../reading/json-records.js';
import { hasColumns, type TableKind } from '../reading/tables.js';
import { reshapeHours } from './days.js';
import { recognisedNames } from './fields.js';
import { jsonTable } from './json-tables.js';
import type { Mapping } from './parse-mapping.js';

/** Returns the kinds of tables of a mapping: its own, and JSON records if the mapping reads them too. */
export function tableKinds(mapping: Mapping): TableKind[] {
  const kind = tableKind(mapping);
  return mapping.json_records ? [kind, { ...kind, ...JSON_RECORDS, headerLine: () => 0 }] : [kind];
}

/** Returns the rules that recognise the tables of a mapping and split them into rows. */
export function tableKind(mapping: Mapping): TableKind {
  const {
    name,
    delimiter,
    quotes,
    columns,
    header,
    header_line,
    header_rows,
    comment,
    end,
    recognise,
    days,
    json,
    reader,
    preamble,
  } = mapping;
  const names = header ?? columns?.map((column) => column.name) ?? reader?.columns;
  const headerLine = header_line ?? (names === undefined && json === undefined ? 1 : 0);
  return {
    name: name === undefined ? 'a table of the mapping' : `a table of the data set ${name}`,
    delimiter: delimiter === 'blanks' ? undefined : delimiter,
    quotes,
    comment,
    end,
    headerRows: header_rows,
    split: columns !== undefined ? splitAt(columns) : delimiter === 'blanks' ? splitAtBlanks : undefined,
    header: names && (() => names),
    ...(json && jsonTable(json)),
    ...(reader && { records: reader.records }),
    reshape: days && ((given, file) => reshapeHours(given, { ...mapping, days }, file)),
    headerLine: typeof headerLine === 'number' ? () => headerLine : (text) => lineOf(headerLine, text),
    nextHeader: preamble.length > 0 && typeof header_line === 'object' ? header_line : undefined,
    matches: (fields, beginning) =>
      recognise === undefined ||
      (hasColumns(recognisedNames(fields, mapping), recognise.columns) &&
        (recognise.text?.test(beginning) ?? true)),
  };
}

const splitAtBlanks = (line: string): string[] => line.trim().split(/\s+/);

const splitAt =
  (columns: NonNullable<Mapping['columns']>) =>
  (line: string): string[] =>
    columns.map(({ from, to }) => line.slice(from - 1, to).trim());

/** Returns the 1-based number of the first matching line; a number past the last line if none matches. */
function lineOf(pattern: RegExp, text: string): number {
  const at = text.split(/\r?\n/).findIndex((line) => pattern.test(line));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}
