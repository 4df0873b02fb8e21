import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { badArgument } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';

const FOLDER = join(dirname(createRequire(import.meta.url).resolve('cropframe/package.json')), 'data-sets');
const ENDING = '.json';

export const DOCUMENT_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))
  .sort();

/** Replaces each file name under a `names` key in a data set document with the file's contents. */
export function withTables(json: unknown, path: string): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map((one) => withTables(one, path));
  return Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      key === 'names' && typeof value === 'string' && value.endsWith(ENDING)
        ? JSON.parse(readFileSync(join(dirname(path), value), 'utf8'))
        : withTables(value, path),
    ]),
  );
}

/** Reads one of the package's documents. @throws ArgumentError if the package has no document with this name */
export function readDocument(name: string): object {
  if (DOCUMENT_NAMES.includes(name)) {
    const path = join(FOLDER, name + ENDING);
    return withTables(JSON.parse(readFileSync(path, 'utf8')), path) as object;
  }
  const what = `extends "${name}", which is not a document in the package`;
  throw badArgument('document', `${what}; ${adviceOnDocument(name)}`);
}

/** Suggests the bundled document whose name is most similar to an unknown name. If none is similar, lists all names. */
export function adviceOnDocument(name: string): string {
  const nearest = nearestWord(name, DOCUMENT_NAMES);
  return nearest === undefined ? `choose one of ${DOCUMENT_NAMES.join(', ')}` : `did you mean ${nearest}?`;
}

export function readNames(name: string): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(FOLDER, 'names', name + ENDING), 'utf8'));
}

/** Lists the files that ship with a data set, in the folder named after it. */
export function shippedFiles(name: string): string[] {
  const folder = join(FOLDER, name);
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return files.map((file) => join(folder, file));
}

/** Derives a data set's name from the file name of its document or table. */
export function documentName(path: string): string {
  const words = basename(path)
    .toLowerCase()
    .replace(/(\.(json|csv|tsv|txt|gz|zip|xlsx|parquet))+$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '');
  return words === '' ? 'table' : words;
}
