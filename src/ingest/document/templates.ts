import { placeholderFault, placeholdersOf } from './fields.js';
import { documentError, type FormKeys, type Named, type OwnEntity } from './form.js';

interface Naming {
  readonly key: string;
  readonly naming: Named;
}

export function namings(part: unknown, key = ''): Naming[] {
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

/** Placeholders that are replaced with the string, item or variant of an entity rather than with a field of the row. */
const OWN_TEXTS = ['text', 'item', 'variant'];

function ownTemplates({ id: _, aliases = [], definitions = {}, ...own }: Partial<OwnEntity> = {}): string[] {
  const texts = [own, definitions, aliases].flatMap((one) => Object.values<string | undefined>({ ...one }));
  return texts.filter((text) => text !== undefined);
}

interface KeyedTemplate {
  readonly key: string;
  readonly template: string;
}

/** Lists the templates of a document; names of columns may be such. */
const templatesOf = (form: object): KeyedTemplate[] =>
  namings(form).flatMap(({ key, naming: { column, names, define } }) => {
    const named = names instanceof Map ? [...names.values()] : [];
    return [column, ...named, ...ownTemplates(define)].map((template) => ({ key, template }));
  });

export function findTemplate(field: string, form: object): KeyedTemplate | undefined {
  return templatesOf(form).find(({ template }) => placeholdersOf(template).includes(field));
}

/** Checks placeholders, whose fields are checked by each table. @throws ArgumentError that names the key */
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
