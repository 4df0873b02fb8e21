import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';
import { CLIENT_ARGUMENTS } from '../../src/compose-client.js';
import type { Check } from '../../src/model/arguments/checks.js';
import { LONG_OPERATION, POINT_FLAGS } from '../../src/model/arguments/fields.js';
import type { Argument } from '../../src/model/arguments/operation.js';
import { SELECTION_KEYS } from '../../src/model/arguments/selection-keys.js';

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

/** The first sentence of a docstring, and the file in which it stands. */
interface Sentence {
  readonly text: string;
  readonly path: string;
}

/** Sentences about the methods that a client is composed of, and about the properties of options. */
interface Sentences {
  readonly methods: Map<string, Sentence>;
  readonly options: Map<string, Sentence[]>;
}

function readSentences(): Sentences {
  const found: Sentences = { methods: new Map(), options: new Map() };
  for (const path of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/^(model|client|frame|saved|agronomy|compose-client).*\.ts$/.test(path)) continue;
    const text = readFileSync(join(SOURCES, path), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    for (const node of file.statements) if (ts.isInterfaceDeclaration(node)) addSentences(node, path, found);
  }
  return found;
}

function addSentences(node: ts.InterfaceDeclaration, path: string, { methods, options }: Sentences): void {
  for (const member of node.members) {
    const name = member.name?.getText();
    const [doc] = ts.getJSDocCommentsAndTags(member).filter(ts.isJSDoc);
    const comment = ts.getTextOfJSDocComment(doc?.comment);
    if (name === undefined || comment === undefined) continue;
    const text = /^.*?(?=\.(?:\s|$)|:$|$)/s.exec(comment)![0].replaceAll(/\s+/g, ' ');
    // Of several overloads, the last is the common one.
    if (/Operations$|^Client$/.test(node.name.text)) methods.set(name, { text, path });
    else if (/Options$|Filter$/.test(node.name.text))
      options.set(name, [...(options.get(name) ?? []), { text, path }]);
  }
}

/** What an option of a method means: as its schema says, else as the docstring nearest to the method does. */
function meaningOf(key: string, { meaning, choices }: Check, path: string, { options }: Sentences): string {
  const all = options.get(key) ?? [];
  const folder = path.slice(0, path.lastIndexOf('/'));
  const nearest =
    all.find((sentence) => sentence.path === path) ??
    all.find((sentence) => sentence.path.startsWith(folder)) ??
    all[0];
  const text = meaning ?? nearest?.text ?? '';
  const words = choices === undefined ? '' : `: ${choices.map((word) => `\`${word}\``).join(', ')}`;
  return text.slice(0, 1).toLowerCase() + text.slice(1) + words;
}

const isSelection = ({ keys }: Argument): boolean =>
  keys !== undefined && Object.keys(SELECTION_KEYS).every((key) => Object.hasOwn(keys, key));

const optionsOf = (argument: Argument): readonly string[] =>
  Object.keys(argument.keys ?? {}).filter(
    (key) =>
      !Object.hasOwn(LONG_OPERATION, key) && !(isSelection(argument) && Object.hasOwn(SELECTION_KEYS, key)),
  );

/** `search(entity_type, search_terms, options?)` */
function callOf(name: string, takes: readonly Argument[]): string {
  const parts = takes.flatMap((argument) => {
    if (argument.keys === undefined) return [argument.name];
    const mark = argument.isRequired ? '' : '?';
    if (isSelection(argument)) return [`selection${mark}`];
    return optionsOf(argument).length === 0 ? [] : [`options${mark}`];
  });
  return `${name}(${parts.join(', ')})`;
}

const RETRIEVAL = Object.keys(POINT_FLAGS).filter((key) => !Object.hasOwn(SELECTION_KEYS, key));

const quoted = (key: string): string => `\`${key}\``;

/** The names of options; those that every retrieval has stand for themselves in few words. */
function namesOf(keys: readonly string[]): readonly string[] {
  const common = RETRIEVAL.filter((key) => keys.includes(key));
  if (common.length < RETRIEVAL.length - 1) return keys.map(quoted);
  const others = keys.filter((key) => !common.includes(key));
  const missing = RETRIEVAL.filter((key) => !common.includes(key));
  const but = missing.length === 0 ? '' : ` except ${missing.map(quoted).join(', ')}`;
  return [`those of a retrieval${but}`, ...others.map(quoted)];
}

const row = (name: string, text: string): string => `| \`${name}\` | ${text.replaceAll('|', '\\|')} |`;

/** The operations of a client with their options, and the options with their meanings, as tables of a page. */
export function operationTables(): string {
  const sentences = readSentences();
  const meanings = new Map<string, Set<string>>();
  const operations = Object.entries(CLIENT_ARGUMENTS).map(([name, { returns, takes }]) => {
    const sentence = sentences.methods.get(name);
    if (sentence === undefined) throw new Error(`${name} has no docstring`);
    for (const argument of takes)
      for (const key of optionsOf(argument)) {
        const meaning = meaningOf(key, argument.keys![key]!, sentence.path, sentences);
        meanings.set(key, (meanings.get(key) ?? new Set()).add(meaning));
      }
    const options = namesOf(takes.flatMap(optionsOf));
    const list = options.length === 0 ? '' : ` Options: ${options.join(', ')}.`;
    return row(
      callOf(name, takes),
      `${sentence.text}${returns === 'sequence' ? '; a sequence' : ''}.${list}`,
    );
  });
  const options = [...meanings].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    `The options of a retrieval are ${RETRIEVAL.map(quoted).join(', ')}.\n`,
    '| method | |\n|---|---|',
    ...operations,
    '\n| option | |\n|---|---|',
    ...options.map(([key, texts]) => row(key, [...texts].join('; or '))),
  ].join('\n');
}
