import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { CLIENT_ARGUMENTS } from '../../src/compose-client.js';
import { LONG_OPERATION } from '../../src/model/progress.js';
import { POINT_FLAGS } from '../../src/model/schema/fields.js';
import type { Argument } from '../../src/model/schema/operation.js';
import { SELECTION_KEYS } from '../../src/model/selection.js';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** Of each method that a client is composed of, the first part of its docstring. */
function readMeanings(): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/^(model|client|frame|saved|agronomy|compose-client).*\.ts$/.test(path)) continue;
    const text = readFileSync(join(SOURCES, path), 'utf8');
    // Parsing all sources takes seconds.
    if (!/interface (\w*Operations|Client)\b/.test(text)) continue;
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    for (const node of file.statements)
      if (ts.isInterfaceDeclaration(node) && /Operations$|^Client$/.test(node.name.text))
        addMeanings(node, found);
  }
  return found;
}

function addMeanings(node: ts.InterfaceDeclaration, found: Map<string, string>): void {
  for (const member of node.members) {
    const name = member.name?.getText();
    const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
    const comment = ts.getTextOfJSDocComment(doc?.comment);
    // Of several overloads, the last is the common one.
    if (name === undefined || comment === undefined) continue;
    const [first] = /^.*?(?=[.:;](?:\s|$)|$)/s.exec(comment.replace(/^Returns /, ''))!;
    found.set(name, first[0]!.toUpperCase() + first.slice(1).replaceAll(/\s+/g, ' '));
  }
}

const isSelection = ({ keys }: Argument): boolean =>
  keys !== undefined && Object.keys(SELECTION_KEYS).every((key) => Object.hasOwn(keys, key));

const optionsOf = (argument: Argument): readonly string[] =>
  Object.keys(argument.keys ?? {}).filter(
    (key) =>
      !Object.hasOwn(LONG_OPERATION, key) && !(isSelection(argument) && Object.hasOwn(SELECTION_KEYS, key)),
  );

/** `searchAll(search_terms, { types, limit }?)`, or with `options?` if the options are not to be listed in the call. */
function callOf(name: string, takes: readonly Argument[], listsOptions: boolean): string {
  const parts = takes.flatMap((argument) => {
    if (argument.keys === undefined) return [argument.name];
    const mark = argument.isRequired ? '' : '?';
    if (isSelection(argument)) return [`selection${mark}`];
    const keys = optionsOf(argument);
    if (keys.length === 0) return [];
    return [`${listsOptions ? `{ ${keys.join(', ')} }` : 'options'}${mark}`];
  });
  return `${name}(${parts.join(', ')})`;
}

const RETRIEVAL = Object.keys(POINT_FLAGS).filter((key) => !Object.hasOwn(SELECTION_KEYS, key));

const isSelectionWithOptions = (argument: Argument): boolean =>
  isSelection(argument) && optionsOf(argument).length > 0;

const quoted = (...keys: readonly string[]): string => `\`${keys.join(', ')}\``;

/** The names of options in few words: those of another set of at least four, but for some, and the others. */
function namesOf(keys: readonly string[], sets: ReadonlyMap<string, readonly string[]>): string {
  const ways = [...sets]
    .filter(([, set]) => set.length > 3)
    .map(([name, set]) => {
      const missing = set.filter((key) => !keys.includes(key));
      const but = missing.length === 0 ? '' : ` except ${quoted(...missing)}`;
      const others = keys.filter((key) => !set.includes(key));
      return `${others.length === 0 ? '' : `${quoted(...others)} and `}those of ${name}${but}`;
    });
  return [quoted(...keys), ...ways].reduce((best, way) => (way.length < best.length ? way : best));
}

/** The operations of a client with the names of their options, as a table of a page. */
export function operationTable(): string {
  const meanings = readMeanings();
  const listed = new Map<string, readonly string[]>([['a retrieval', RETRIEVAL]]);
  const operations = Object.entries(CLIENT_ARGUMENTS).map(([name, { returns, takes }]) => {
    const meaning = meanings.get(name);
    if (meaning === undefined) throw new Error(`${name} has no docstring`);
    const keys = takes.flatMap(optionsOf);
    const options = namesOf(keys, listed);
    listed.set(quoted(name), keys);
    const listsOptions = options === quoted(...keys) && !takes.some(isSelectionWithOptions);
    const list = listsOptions ? '' : ` Options: ${options}.`;
    const isSequence = returns === 'sequence' && !meaning.startsWith('Yields');
    const text = `${meaning}${isSequence ? '; a sequence' : ''}.${list}`;
    return `| \`${callOf(name, takes, listsOptions)}\` | ${text.replaceAll('|', '\\|')} |`;
  });
  return [
    `The options of a retrieval are ${quoted(...RETRIEVAL)}.\n`,
    '| method | |\n|---|---|',
    ...operations,
  ].join('\n');
}
