import { placeholderFault, placeholdersOf } from './fields.js';
import { documentError, type FormKeys, type Named, type OwnEntity } from './form.js';

/** A part of a document that names a field, and the key that contains the part. */
interface Naming {
  readonly key: string;
  readonly naming: Named;
}

/** Returns the parts of a document that name a field, including nested parts. */
export function namings(part: unknown, key = ''): Naming[] {
  if (typeof part !== 'object' || part === null || part instanceof Map || part instanceof RegExp) return [];
  const within = Object.entries(part).flatMap(([name, value]) =>
    namings(value, /^\d+$/.test(name) ? key : name),
  );
  return 'column' in part ? [{ key, naming: part as Named }, ...within] : within;
}

/** Returns the names of the fields that parts of a document read. */
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

/** Template placeholders that are not fields of the row. */
const OWN_TEXTS = ['text', 'item', 'variant'];

function ownTemplates({ id: _, aliases = [], definitions = {}, ...own }: Partial<OwnEntity> = {}): string[] {
  const texts = [own, definitions, aliases].flatMap((one) => Object.values<string | undefined>({ ...one }));
  return texts.filter((text) => text !== undefined);
}

/** A template of a document, and the key that contains it. */
interface KeyedTemplate {
  readonly key: string;
  readonly template: string;
}

/** Lists the templates of a document. Columns are templates too. */
const templatesOf = (form: object): KeyedTemplate[] =>
  namings(form).flatMap(({ key, naming: { column, names, define } }) => {
    const named = names instanceof Map ? [...names.values()] : [];
    return [column, ...named, ...ownTemplates(define)].map((template) => ({ key, template }));
  });

/** Finds the template of a document that names a field; undefined if none does. */
export function findTemplate(field: string, form: object): KeyedTemplate | undefined {
  return templatesOf(form).find(({ template }) => placeholdersOf(template).includes(field));
}

/**
 * Checks the placeholders of all templates. The fields that they name are checked later, against the header of a table.
 * @throws ArgumentError that names the key, the placeholder and the nearest known form
 */
export function checkTemplates(keys: FormKeys): void {
  const { nulls, absent } = keys.missing;
  const others = [
    ...[...nulls, ...absent].map((template) => ({ key: 'missing', template })),
    ...keys.hooks
      .flatMap(({ columns }) => Object.values(columns))
      .map((template) => ({ key: 'hooks', template })),
  ];
  for (const { key, template } of [...templatesOf(keys), ...others]) {
    const fault = placeholderFault(template);
    if (fault !== undefined) throw documentError(key, fault);
  }
}
