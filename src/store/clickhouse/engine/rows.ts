/** A row by the names of its columns. */
export type Row = Record<string, unknown>;

interface JsonCompact {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: unknown[][];
}

/** JSON has no words for these; ClickHouse writes them as text. */
const DENORMALS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  '-nan': Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** What a whole answer in the format JSONCompact ends with. */
export const END_OF_ROWS = '\n}\n';

/** The rows of an answer in the format JSONCompact. */
export function readRows(text: string): Row[] {
  const { meta, data } = JSON.parse(text) as JsonCompact;
  const floats = meta.map(({ type }) => /Float/.test(type));
  return data.map((values) => {
    const row: Row = {};
    for (const [at, { name }] of meta.entries()) row[name] = floats[at] ? floatsOf(values[at]) : values[at];
    return row;
  });
}

function floatsOf(value: unknown): unknown {
  if (typeof value === 'string') return DENORMALS[value] ?? value;
  return Array.isArray(value) ? value.map(floatsOf) : value;
}
