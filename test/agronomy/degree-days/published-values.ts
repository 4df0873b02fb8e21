import { readFileSync } from 'node:fs';

const GOLDEN = new URL('../../golden/degree-days/', import.meta.url);

/** A published table: its columns by name, every row a day. */
export interface PublishedTable {
  unit: 'celsius' | 'fahrenheit';
  base: number;
  cap?: number;
  columns: string[];
  days: number[][];
  misprints?: { day: number; column: string; printed: number; correct: number }[];
}

/** Reads one entry of `published-days.json`. */
export function publishedEntry<Entry = PublishedTable>(name: string): Entry {
  const entries = JSON.parse(readFileSync(new URL('published-days.json', GOLDEN), 'utf8')) as Record<
    string,
    Entry
  >;
  return entries[name]!;
}

/** Reads a golden CSV file of numbers behind a date column: its columns by name. */
export function publishedColumns(file: string): Map<string, Float64Array> {
  const [header, ...rows] = readFileSync(new URL(file, GOLDEN), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return new Map(header!.map((name, i) => [name, Float64Array.from(rows, (row) => Number(row[i]))]));
}

/** Half a unit of the last printed place, and room for binary rounding. */
export function printedPrecision(decimals: number): number {
  return 0.5 * 10 ** -decimals + 1e-9;
}
