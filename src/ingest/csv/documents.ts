import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { badArgument } from '../../model/errors.js';
import { nearestWord } from '../../model/names/edit-distance.js';

/** The package's folder of data sets. */
const FOLDER = join(dirname(createRequire(import.meta.url).resolve('cropframe/package.json')), 'data-sets');
const ENDING = '.json';

/** The names of the data sets that are documents of the package. */
export const DOCUMENT_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith(ENDING))
  .map((name) => name.slice(0, -ENDING.length))
  .sort();

/** Reads a document of the package. @throws ArgumentError when there is none of this name */
export function readDocument(name: string): object {
  if (DOCUMENT_NAMES.includes(name))
    return JSON.parse(readFileSync(join(FOLDER, name + ENDING), 'utf8')) as object;
  const nearest = nearestWord(name, DOCUMENT_NAMES);
  const remedy =
    nearest === undefined
      ? `the data sets of the package are ${DOCUMENT_NAMES.join(', ')}`
      : `did you mean ${nearest}?`;
  throw badArgument('mapping', `there is no file and no data set "${name}"; ${remedy}`);
}
