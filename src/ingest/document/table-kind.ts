import { basename } from 'node:path';
import { IngestError } from '../../model/errors.js';
import type { ImporterInput } from '../importer.js';
import { hasColumns, lineError } from '../reading/columns.js';
import { readDelimited, WHOLE_LINES } from '../reading/delimited.js';
import { openInput } from '../reading/input-files.js';
import type { TableKind } from '../reading/tables.js';
import { reshapeHours } from './days.js';
import { recognisedNames } from './fields.js';
import type { FormKeys } from './form.js';
import { jsonTable } from './json-tables.js';
import type { Form } from './parse-form.js';

/** Lists the kinds of table that a form allows. A table described as delimited may also come as JSON records. */
export function tableKinds(form: Form): TableKind[] {
  const kind = tableKind(form);
  const isDelimited = form.columns === undefined && form.json === undefined && form.reader === undefined;
  if (!isDelimited) return [kind];
  const matches: TableKind['matches'] = (fields, beginning) =>
    fields.length > 0 && kind.matches(fields, beginning);
  return [{ ...kind, ...jsonTable(), headerLine: () => 0, matches }, kind];
}

export function tableKind(form: Form): TableKind {
  const { name, delimiter, columns, repeat, header_line, recognise, days, json, reader } = form;
  const fixed = columns?.map((column) => column.name).concat(repeat?.number ?? []);
  const names = form.header ?? fixed ?? reader?.columns;
  const headerLine = header_line ?? (names === undefined && json === undefined ? 1 : 0);
  return {
    name: name === undefined ? 'a table of the document' : `a table of the data set ${name}`,
    delimiter: delimiter === 'blanks' ? ',' : delimiter,
    quotes: form.quotes,
    comment: form.comment,
    end: form.end,
    headerRows: form.header_rows,
    lines: form.line,
    joins: fixed !== undefined && isAlikeInAllFiles(form),
    split:
      columns !== undefined ? splitAt(columns, repeat) : delimiter === 'blanks' ? splitAtBlanks : undefined,
    header: names && (() => names),
    ...(json && jsonTable(json)),
    ...(reader && { records: reader.records }),
    reshape: days && ((given, file) => reshapeHours(given, { ...form, days }, file)),
    headerLine: typeof headerLine === 'number' ? () => headerLine : (text) => lineOf(headerLine, text),
    nextHeader:
      form.preamble.length === 0 ? undefined : typeof header_line === 'object' ? header_line : /(?!)/,
    matches: (fields, beginning) =>
      recognise === undefined ||
      (hasColumns(recognisedNames(fields, form), recognise.columns) &&
        (recognise.text?.test(beginning) ?? true)),
  };
}

/** Checks that no field or setting depends on the individual file, so that several files can be read as one table. */
function isAlikeInAllFiles({ file, preamble, hooks, settings = {} }: Form): boolean {
  const isDetected = Object.values(settings).some(({ detect }) => detect !== undefined);
  const isOfTable = hooks.some(({ hook }) => hook.fields !== undefined);
  return file === undefined && preamble.length === 0 && !isDetected && !isOfTable;
}

const splitAtBlanks = (line: string): string[][] => [line.trim().split(/\s+/)];

/** Returns a function that splits a fixed-width line into fields. If columns repeat, a line yields several rows. */
function splitAt(columns: NonNullable<Form['columns']>, repeat?: Form['repeat']) {
  const once = (line: string) => columns.map(({ from, to }) => line.slice(from - 1, to).trim());
  if (repeat === undefined) return (line: string) => [once(line)];
  const { from, to, times } = repeat;
  const repeated = [...columns.entries()].filter(([, column]) => column.from >= from && column.to <= to);
  const numbers = Array.from({ length: times }, (_, i) => String(i + 1));
  return (line: string): string[][] => {
    const fields = once(line);
    return numbers.map((number, i) => {
      const row = fields.slice();
      const shift = i * (to - from + 1);
      for (const [at, column] of repeated)
        row[at] = line.slice(column.from - 1 + shift, column.to + shift).trim();
      row.push(number);
      return row;
    });
  };
}

function lineOf(pattern: RegExp, text: string): number {
  const at = text.split(/\r?\n/).findIndex((line) => pattern.test(line));
  return at < 0 ? Number.POSITIVE_INFINITY : at + 1;
}

type CodeList = NonNullable<FormKeys['code_list']>;

interface ListContext extends Pick<ImporterInput, 'files' | 'signal'> {
  readonly dataset: string;
}

/** Reads the code lists among the files. @throws IngestError if a line is invalid, or if all files are code lists */
export async function readCodeLists(list: CodeList, { dataset, files, signal }: ListContext) {
  const { what, line: pattern, columns, key, of } = list;
  const names = columns.map(({ name }) => name);
  const fields = names.filter((name) => name !== key);
  const texts = new Map(fields.map((name) => [name, new Map<string, string>()]));
  const split = splitAt(columns);
  const lists = new Set<string>();
  for (const file of files)
    opened: for await (const { name, chunks } of openInput(file, { dataset, signal }))
      for await (const { text = '', line } of readDelimited(chunks, WHOLE_LINES)) {
        if (pattern.test(text)) {
          lists.add(file);
          const [cells] = split(text);
          const code = cells![names.indexOf(key)]!;
          for (const [at, one] of names.entries()) texts.get(one)?.set(code, cells![at]!);
        } else if (!lists.has(file)) break opened;
        else if (text.trim() !== '') throw lineError({ dataset, file: name }, line, `not a line of ${what}`);
      }
  const others = files.filter((file) => !lists.has(file));
  const [first] = lists;
  if (others.length === 0 && first !== undefined)
    throw new IngestError(
      dataset,
      `${basename(first)} is ${what}; import it together with the files that contain the data`,
      { file: first },
    );
  const lookup = new Map(fields.map((name) => [name, { column: of, names: texts.get(name)! }]));
  return { lookup, files: others };
}
