import { readFileSync } from 'node:fs';

/** A row of a table of keys: one or several keys, and their meaning. */
const ROW = /^\| ((?:`\w+`(?:, )?)+) \| (.*?) \|/gm;

/** The meanings of the keys of documents in the tables of the documentation, as plain text. */
function readMeanings(): ReadonlyMap<string, string> {
  const page = readFileSync('docs/describe-a-data-set.md', 'utf8').replaceAll('\\|', '\0');
  return new Map(
    [...page.matchAll(ROW)].flatMap(([, keys = '', meaning = '']) => {
      const text = meaning.replaceAll('\0', '|').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
      return [...keys.matchAll(/\w+/g)].map(([key]) => [key, text.replaceAll('`', '')] as const);
    }),
  );
}

interface Schema {
  properties?: Record<string, Schema>;
  description?: string;
}

/** Describes the keys of a document's schema that have no text yet. @throws Error for a key that the page does not describe */
export function describeKeys(schema: object): object {
  const meanings = readMeanings();
  const { properties = {} } = schema as Schema;
  for (const [key, property] of Object.entries(properties)) {
    const text = property.description ?? meanings.get(key);
    if (text !== undefined) property.description = text;
    else if (!NAMES.includes(key)) throw new Error(`no text describes "${key}"`);
  }
  return schema;
}

/** The keys of names, which have a section of their own. */
const NAMES = ['region', 'metric', 'item', 'unit'];
