import { groupNames, placeholderFault, placeholdersOf } from './fields.js';
import { documentError, type FormKeys, type Named, type OwnEntity } from './form.js';
import { adviceOnName } from './key-schemas.js';

/** Returns the parts of a document that name a field, including nested parts. */
export function namings(part: unknown): Named[] {
  if (typeof part !== 'object' || part === null || part instanceof Map || part instanceof RegExp) return [];
  const within = Object.values(part).flatMap(namings);
  return 'column' in part ? [part as Named, ...within] : within;
}

/** Returns the names of the fields that parts of a document read. */
export function fieldNames(part: unknown): string[] {
  const named = namings(part).flatMap(({ column, names, define }) => [
    column,
    ...placeholdersOf([...(names?.values() ?? [])].join('\n')),
    ...ownFields(define),
  ]);
  return [...new Set(named)];
}

/** Template placeholders that are not fields of the row. */
const OWN_TEXTS = ['text', 'item', 'variant'];

/** Returns the names of the fields in the templates of an entity. */
function ownFields(own: OwnEntity | undefined): string[] {
  const fields = ownTemplates(own)
    .flatMap(placeholdersOf)
    .filter((field) => !OWN_TEXTS.includes(field));
  return own?.id === undefined ? fields : [...fields, own.id.column];
}

function ownTemplates({ id: _, aliases = [], definitions = {}, ...own }: Partial<OwnEntity> = {}): string[] {
  const texts = [own, definitions, aliases].flatMap((one) => Object.values<string | undefined>({ ...one }));
  return texts.filter((text) => text !== undefined);
}

/** A template of a document, and the key that has it. */
interface KeyedTemplate {
  readonly key: string;
  readonly template: string;
}

/** Lists the templates of a part of a document. Columns are templates too. */
function templatesOf(part: unknown, key: string): KeyedTemplate[] {
  if (typeof part !== 'object' || part === null || part instanceof Map || part instanceof RegExp) return [];
  const { column, names, define } = part as Partial<Named>;
  const own = [
    ...(column === undefined ? [] : [column]),
    ...(names instanceof Map ? names.values() : []),
    ...ownTemplates(define),
  ];
  const within = Object.entries(part).flatMap(([name, value]) =>
    templatesOf(value, /^\d+$/.test(name) ? key : name),
  );
  return [...own.map((template) => ({ key, template })), ...within];
}

/** Finds the template of a document that names a field; undefined if none does. */
export function findTemplate(field: string, form: object): KeyedTemplate | undefined {
  return templatesOf(form, '').find(({ template }) => placeholdersOf(template).includes(field));
}

/**
 * Checks the placeholders of all templates, as far as they are known before a file is read.
 * @throws ArgumentError that names the key, the placeholder and the nearest known name
 */
export function checkTemplates(keys: FormKeys): void {
  const known = declaredFields(keys);
  const missing = [...keys.missing.nulls, ...keys.missing.absent].map((template) => ({
    key: 'missing',
    template,
  }));
  const ofHooks = keys.hooks.flatMap(({ columns }) =>
    Object.values(columns).map((template) => ({ key: 'hooks', template })),
  );
  for (const { key, template } of [...templatesOf(keys, ''), ...missing, ...ofHooks]) {
    const fault = placeholderFault(template);
    if (fault !== undefined) throw documentError(key, fault);
    const unknown = placeholdersOf(template).find((field) => known?.includes(field) === false);
    if (unknown !== undefined && known !== null)
      throw documentError(key, `has {${unknown}}; ${adviceOnName(unknown, known, 'the fields')}`);
  }
}

/** Returns all fields that tables of a document have; null if only a file tells. */
function declaredFields(keys: FormKeys): string[] | null {
  const { header, columns, hooks, days, json, preamble, file, legend, values = [] } = keys;
  const names = header ?? columns?.map(({ name }) => name);
  if (names === undefined || hooks.length > 0 || days !== undefined || json !== undefined) return null;
  const { split, call, lookup, clear, beside, settings = {}, optional, repeat, code_list } = keys;
  const listed = code_list?.columns.map(({ name }) => name) ?? [];
  const patterns = [...preamble, file, legend, ...values.map((value) => value.columns)];
  const groups = [...patterns, ...Object.values(split), ...Object.values(call)].flatMap((pattern) =>
    pattern === undefined ? [] : groupNames(pattern),
  );
  const named = [call, clear, beside, settings, optional].flatMap((one: object) => Object.keys(one));
  return [
    ...names,
    ...(repeat ? [repeat.number] : []),
    ...listed,
    ...groups,
    ...named,
    ...lookup.keys(),
    ...OWN_TEXTS,
  ];
}
