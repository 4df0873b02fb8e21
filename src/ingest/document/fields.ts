import { plainName } from '../../model/names/plain-name.js';
import { documentError, type FormKeys, type Named, type OwnEntity } from './form.js';
import { adviceOnName } from './key-schemas.js';

/** A row's trimmed strings, keyed by field name. */
export type Row = Readonly<Record<string, string>>;

/** The strings captured by the named groups of a pattern, keyed by group name. */
export type Groups = Readonly<Record<string, string>>;

interface FieldOrigins {
  readonly columns: FieldColumns;
  readonly constants: Groups;
  /** For each value column, the fields that have the same value in every row. */
  readonly groups: readonly Groups[];
  /** For each value column, the fields in the columns directly after it. */
  readonly beside: readonly FieldColumns[];
  /** SQL expressions for fields that are read as empty in certain rows, keyed by field name. */
  readonly cleared: ReadonlyMap<string, string>;
  readonly derived: Derived;
}

/** Columns, keyed by field name. `text` is the SQL expression. A labelled cell has a code and a label: `A: Annual`. */
type FieldColumns = ReadonlyMap<string, { readonly text: string; readonly isLabelled: boolean }>;

/** Reads the fields of a table's rows from columns, named groups of patterns, and templates. */
export class RowFields {
  readonly #origins: FieldOrigins;

  constructor(origins: FieldOrigins) {
    this.#origins = origins;
  }

  isOfValue(name: string): boolean {
    const { groups, beside, derived, columns } = this.#origins;
    const isOfOne = (base: string) =>
      groups.some((one) => base in one) || beside.some((one) => one.has(base));
    return baseFields(name, derived, columns).some(isOfOne);
  }

  /** Returns a field's text if it is the same in all rows, or `undefined` if it may vary. */
  constant(name: string): string | undefined {
    const { constants, derived, columns } = this.#origins;
    const isConstant = baseFields(name, derived, columns).every((base) => base in constants);
    return isConstant ? createReader(name, derived)(constants) : undefined;
  }

  /** Returns SQL expressions for the strings from which fields are built, and a function that builds the fields. */
  plan(names: readonly string[], value?: number) {
    const { columns, constants, groups, cleared, beside, derived } = this.#origins;
    const behind = value === undefined ? undefined : beside[value];
    const known = value === undefined ? constants : { ...constants, ...groups[value] };
    const bases = [...new Set(names.flatMap((name) => baseFields(name, derived, columns)))];
    const read = bases
      .filter((base) => !(base in known))
      .map((base) => [base, behind?.get(base) ?? columns.get(base)!] as const);
    const readers = names.map((name) => [name, createReader(name, derived)] as const);
    return {
      texts: read.map(([base, { text }]) => cleared.get(base) ?? text),
      read: (texts: readonly string[]): Row => {
        const row: Record<string, string> = { ...known };
        for (const [i, [base, { isLabelled }]] of read.entries()) {
          const text = texts[i]!.trim();
          row[base] = isLabelled ? codeOf(text) : text;
        }
        for (const [name, readField] of readers) row[name] = readField(row);
        return row;
      },
    };
  }
}

type Derived = ReturnType<typeof derivedFields>;

/** Returns the fields that are read from another field's text: those in `lookup`, and the named groups in `split`. */
export function derivedFields({ split, lookup }: Pick<FormKeys, 'split' | 'lookup'>) {
  const groups = Object.entries(split).flatMap(([column, pattern]) =>
    groupNames(pattern).map((name) => {
      const read = (text: string) => pattern.exec(text)?.groups?.[name]?.replace(/\s+/g, ' ').trim() ?? '';
      return [name, { column, read }] as const;
    }),
  );
  const named = [...lookup].map(([name, { column, names }]) => {
    return [name, { column, read: (text: string) => names.get(text) ?? '' }] as const;
  });
  // If several columns define the same field, the first one is used, unless `lookup` also defines the field.
  return new Map([...groups.reverse(), ...named]);
}

/** Lists the fields that a field is built from: itself, the fields in a template, or the field it is derived from. */
export function baseFields(
  name: string,
  derived: Derived,
  columns?: { has(name: string): boolean },
  path: readonly string[] = [],
): string[] {
  if (path.includes(name)) throw documentError(name, 'is derived from itself; choose another name');
  const from = derived.get(name)?.column;
  const placeholders = from === undefined && !columns?.has(name) ? placeholdersOf(name) : [];
  const parts = from === undefined ? placeholders : [from];
  return parts.length === 0
    ? [name]
    : parts.flatMap((field) => baseFields(field, derived, columns, [...path, name]));
}

function createReader(name: string, derived: Derived): (row: Row) => string {
  const from = derived.get(name);
  if (from !== undefined) {
    const read = createReader(from.column, derived);
    return (row) => from.read(read(row));
  }
  const parts = new Map(placeholdersOf(name).map((field) => [field, createReader(field, derived)]));
  return (row) => row[name] ?? fillTemplate(name, (field) => parts.get(field)!(row));
}

export function groupNames(pattern: RegExp): string[] {
  return [...pattern.source.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name!);
}

const PLACEHOLDER = /\{([^{}:]+)(?::(\w+))?\}/g;

/** Formatters that a template can apply to a field, such as `sentence` in `{crop:sentence}`. */
const FORMS: Readonly<Record<string, (text: string) => string>> = {
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  plain: (text) => plainName(text),
  sentence: (text) => text.slice(0, 1).toUpperCase() + text.slice(1).replaceAll('_', ' ').toLowerCase(),
  number: (text) => String(Number(text)),
  latitude: (text) => formatDegrees(text, 'N', 'S'),
  longitude: (text) => formatDegrees(text, 'E', 'W'),
};

/** Formats degrees with a compass direction: `-33.86` becomes `33.86° S`. */
const formatDegrees = (text: string, positive: string, negative: string): string =>
  `${Math.abs(Number(text))}° ${Number(text) < 0 ? negative : positive}`;

export function placeholdersOf(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!);
}

/** Describes the first invalid placeholder in a template, such as `{name:titel}`. */
function placeholderFault(template: string): string | undefined {
  for (const [braces, field = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    const [name = '', ...forms] = field.split(':');
    const form = forms.join(':');
    if (name.trim() === '') return `has ${braces}, which does not name a field`;
    if (forms.length > 0 && !Object.hasOwn(FORMS, form))
      return `has ${braces}; ${adviceOnName(form, Object.keys(FORMS), 'the forms')}`;
  }
  return undefined;
}

/** Matches a template part in square brackets, and captures the field that the part depends on. */
const OPTIONAL_PART = /\[([^[\]{}]*\{([^{}:]+)[^[\]]*)\]/g;

/** Fills in a template. A part in square brackets, such as `[, {state}]`, is omitted if its field is empty. */
export function fillTemplate(template: string, textOf: (field: string) => string): string {
  return template
    .replace(OPTIONAL_PART, (_, part: string, field: string) => (textOf(field) === '' ? '' : part))
    .replace(PLACEHOLDER, (_, field: string, form: string | undefined) =>
      form === undefined ? textOf(field) : FORMS[form]!(textOf(field)),
    );
}

/** Matches the first column name in an SDMX-CSV 1.0 or 2.x table. */
const SDMX = /^(DATAFLOW|STRUCTURE(\[.\])?)$/i;
/** Matches a code followed by its label. The SDMX standard requires a space between them, but some agencies omit it. */
const LABELLED = /^([^\s:]+):(?!\d)/;

/** Returns a header's column names without any SDMX-CSV labels: `FREQ: Frequency` becomes `FREQ`. */
export function columnNames(header: readonly string[], fold = false): readonly string[] {
  if (fold) return header.map((name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
  return SDMX.test(header[0] ?? '') ? header.map(codeOf) : header;
}

/** Returns a header's column names, and the names that the document's `call` key assigns to columns. */
export function recognisedNames(
  header: readonly string[],
  { fold, call }: { readonly fold: boolean; readonly call: Readonly<Record<string, RegExp>> },
): readonly string[] {
  const names = columnNames(header, fold);
  const called = Object.keys(call).filter((name) => names.some((one) => call[name]!.test(one)));
  return [...names, ...called];
}

export const codeOf = (text: string): string => LABELLED.exec(text)?.[1] ?? text;

/** Finds the objects with a `column` in part of a document. Returns each object together with its key. */
export function namings(part: unknown, key = ''): { key: string; naming: Named }[] {
  if (typeof part !== 'object' || part === null || part instanceof Map || part instanceof RegExp) return [];
  const within = Object.entries(part).flatMap(([name, value]) =>
    namings(value, /^\d+$/.test(name) ? key : name),
  );
  return 'column' in part ? [{ key, naming: part as Named }, ...within] : within;
}

export function fieldNames(part: unknown): string[] {
  const named = namings(part).flatMap(({ naming: { column, names, define } }) => [
    column,
    ...[...(names?.values() ?? [])].flatMap(placeholdersOf),
    ...ownTemplates(define)
      .flatMap(placeholdersOf)
      .filter((field) => !OWN_TEXTS.includes(field)),
    ...(define?.id === undefined ? [] : [define.id.column]),
  ]);
  return [...new Set(named)];
}

/** Placeholders for an entity's string, item or variant, rather than for a field of the row. */
const OWN_TEXTS = ['text', 'item', 'variant'];

function ownTemplates({ id: _, aliases = [], definitions = {}, ...own }: Partial<OwnEntity> = {}): string[] {
  const texts = [own, definitions, aliases].flatMap((one) => Object.values<string | undefined>({ ...one }));
  return texts.filter((text) => text !== undefined);
}

/** Lists the keys of `define` that have no effect under a key of the document, such as `abbreviation` under `item`. */
function unusedIn(key: string): readonly (keyof OwnEntity)[] {
  if (key === 'unit') return ['definition', 'definitions', 'within', 'aliases', 'id'];
  return key.endsWith('region') ? ['abbreviation', 'id'] : ['abbreviation'];
}

/** Checks a document's names and placeholders, but not whether their fields exist. @throws ArgumentError */
export function checkNamings(keys: FormKeys): void {
  const missing = [keys, ...keys.cases, ...(keys.values ?? [])].flatMap(({ missing }) => missing ?? []);
  const missingTexts = missing.flatMap(({ nulls, absent }) => [...nulls, ...absent]);
  const hookColumns = keys.hooks.flatMap(({ columns }) => Object.values(columns));
  const derived = derivedFields(keys);
  for (const name of derived.keys()) baseFields(name, derived);
  checkTemplates('missing', missingTexts);
  checkTemplates('hooks', hookColumns);
  for (const { key, naming } of namings(keys)) {
    const { column, names, others, code, define }: Named & { readonly code?: unknown } = naming;
    if (typeof others === 'string' && (names ?? code) === undefined)
      throw documentError(key, `has "others": "${others}" without "names"`);
    const unused = unusedIn(key).find((one) => define?.[one] !== undefined);
    if (unused !== undefined) throw documentError(`${key}.define.${unused}`, 'has no effect; omit it');
    const named = names instanceof Map ? [...names.values()] : [];
    checkTemplates(key, [column, ...named, ...ownTemplates(define)]);
  }
}

function checkTemplates(key: string, templates: readonly string[]): void {
  const fault = templates.map(placeholderFault).find((one) => one !== undefined);
  if (fault !== undefined) throw documentError(key, fault);
}
