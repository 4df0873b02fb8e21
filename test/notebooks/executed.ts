import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Notebook } from './notebook.js';
import { outputText } from './notebook.js';

/** The published file from which the demo's weather was taken. */
export const WEATHER = fileURLToPath(
  new URL('../../node_modules/vega-datasets/data/weather.csv', import.meta.url),
);

/** A notebook that was executed, to be checked against other programs. */
export interface Executed {
  /** Where the notebook ran, and wrote its files. */
  readonly folder: string;
  readonly notebook: Notebook;
}

/** Compares the figures of a notebook with those of an independent calculation. */
export type Check = (executed: Executed) => Promise<void> | void;

/** What a cell shows, as text. @throws Error when there is no such cell */
export function shownBy({ notebook }: Executed, id: string): string {
  const cell = notebook.cells.find((one) => one.id === id);
  if (cell === undefined) throw new Error(`there is no cell ${id}`);
  return outputText({ ...notebook, cells: [cell] });
}

/** The rows of the table that a cell shows as text, by column; texts and numbers as shown. */
export function shownRows(executed: Executed, id: string): Record<string, string>[] {
  const { names, rows } = shownTable(executed, id);
  return rows.map((cells) => Object.fromEntries(cells.map((cell, i) => [names[i]!, cell])));
}

/** The cells of these rows. */
export function shownCells(executed: Executed, id: string): string[][] {
  return shownTable(executed, id).rows;
}

function shownTable(executed: Executed, id: string): { names: string[]; rows: string[][] } {
  const lines = textOf(executed, id).split('\n');
  const cells = (line: string) => line.trim().split(/ {2,}/);
  const types = lines.findIndex(
    (line, at) => at > 0 && /^(utf8|float64|int32|dictionary|timestamp)/.test(line.trim()),
  );
  const rows = lines.slice(types + 1);
  const end = rows.findIndex((line) => line.trim() === '');
  const shown = (end === -1 ? rows : rows.slice(0, end)).filter((line) => !line.startsWith('… '));
  const header = lines.slice(lines.lastIndexOf('', types) + 1, types).flatMap(spansOf);
  const nameOf = (type: Span) => header.find(({ from, to }) => from === type.from || to === type.to)!.text;
  return { names: spansOf(lines[types]!).map(nameOf), rows: shown.map(cells) };
}

/** A text in a line, which two spaces divide from others. A column shares an edge with its type below it. */
interface Span {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function spansOf(line: string): Span[] {
  return [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: text, index }) => {
    return { text, from: index, to: index + text.length };
  });
}

/** The points of the lines that a cell draws: the number of the line, the time in UTC milliseconds, the value. */
export function drawnPoints(executed: Executed, id: string): { s: number; t: number; v: number | null }[] {
  const spec = outputOf(executed, id)['application/vnd.vegalite.v5+json'] as { data: { values: never[] } };
  return spec.data.values;
}

function textOf(executed: Executed, id: string): string {
  const text = outputOf(executed, id)['text/plain'];
  return Array.isArray(text) ? text.join('') : String(text);
}

/** The last displayed value of a cell by MIME type. */
function outputOf({ notebook }: Executed, id: string): Readonly<Record<string, unknown>> {
  const outputs = notebook.cells.find((one) => one.id === id)?.outputs ?? [];
  const data = outputs.flatMap((output) => (output.data === undefined ? [] : [output.data]));
  if (data.length === 0) throw new Error(`cell ${id} displays nothing`);
  return data.at(-1)!;
}

/** The rows of a query by DuckDB alone; whole numbers of 64 bits as numbers. */
export async function queryRows(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const rows = (await connection.runAndReadAll(sql)).getRowObjectsJS();
    const plain = (value: unknown) => (typeof value === 'bigint' ? Number(value) : value);
    return rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
