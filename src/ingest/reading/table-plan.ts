import { PLAIN_NUMBER, type RowAnswer, type RowKey, type RowText, type RowValue } from '../../store/store.js';
import { parseRowNumber } from './row-values.js';
import { findColumns, type OpenedTable } from './tables.js';
import { type RowPlan, rowKey } from './text-rows.js';

/** A field that is empty if another field has one of the strings in `is`, or the string of the value at a position. */
type FieldText<Field> =
  | { readonly field: Field; readonly is: readonly string[] }
  | { readonly ofValue: number };
type FieldTexts<Field extends string> = { readonly [Name in Field]?: FieldText<Field> };

/** The columns of a table by field: -1 where the table does not have it, and its text is empty. */
export class TableFields<Field extends string> {
  readonly at: Readonly<Record<Field, number>>;
  /** The text that the store reads from a field. */
  readonly text: (field: Field) => RowText;

  constructor(at: Readonly<Record<Field, number>>, text: (field: Field) => RowText = (field) => at[field]) {
    this.at = at;
    this.text = text;
  }

  /** The columns of a header that have the names of fields. */
  static named<Field extends string>(names: readonly Field[], header: readonly string[]): TableFields<Field> {
    const at = names.map((name) => [name, header.indexOf(name)] as const);
    return new TableFields(Object.fromEntries(at) as Record<Field, number>);
  }

  /**
   * The columns with these names.
   * @param columns names of columns, with `?` behind one that the table may lack; null for one that it lacks
   * @throws IngestError when the table does not have a named one
   */
  static of<Field extends string>(
    table: OpenedTable,
    columns: Readonly<Record<Field, string | null>>,
    texts: FieldTexts<NoInfer<Field>> = {},
  ): TableFields<Field> {
    const { header } = table;
    const named = (name: string | null): string | null =>
      name?.endsWith('?') ? (header.find((column) => column === name.slice(0, -1)) ?? null) : name;
    const names = Object.entries<string | null>(columns).map(([field, name]) => [field, named(name)]);
    const at = findColumns(header, Object.fromEntries(names) as typeof columns, table);
    return new TableFields(at, (field) => {
      const text: FieldText<Field> | undefined = texts[field];
      if (text === undefined) return at[field];
      return 'ofValue' in text
        ? text
        : { column: at[field], unless: { column: at[text.field], is: text.is } };
    });
  }

  /**
   * A key of fields, without spaces around them. Rows whose texts cannot be used are those where `resolve` throws a RowError.
   * @param details fields that `resolve` is told of the first row with the texts
   */
  key<Of extends Field, Detail extends Field = never>(
    fields: readonly Of[],
    resolve: (row: Readonly<Record<Of | Detail, string>>) => RowAnswer,
    details: readonly Detail[] = [],
  ): RowKey {
    const present = <Name extends Field>(list: readonly Name[]) =>
      list.filter((field) => this.at[field] >= 0);
    const [texts, named] = [present(fields), present(details)];
    const empty = Object.fromEntries([...fields, ...details].map((field) => [field, '']));
    return rowKey({
      texts: texts.map((field) => this.text(field)),
      details: named.map((field) => this.at[field]),
      resolve(found, told) {
        const row: Record<string, string> = { ...empty };
        for (const [i, field] of texts.entries()) row[field] = found[i]!.trim();
        for (const [i, field] of named.entries()) row[field] = told[i]!.trim();
        return resolve(row as Record<Of | Detail, string>);
      },
    });
  }
}

/** Figures with or without marks of thousands. */
export const FIGURES = {
  plain: ' *-?([0-9]{1,15}|[0-9]{1,3}(,[0-9]{3}){1,4})([.][0-9]+)? *',
  thousands: ',',
} as const;
/** No number is plain: the importer itself reads each of them. */
export const NO_FIGURES = { plain: '' } as const;

/** A column of values. */
export interface TableValue {
  /** Position of the column. */
  readonly column: number;
  /** The name in messages: `value`. */
  readonly name: string;
  /** The constants of all points of the column. */
  readonly gives?: RowAnswer | undefined;
  /** Keys of this column alone, after that of the value. */
  readonly keys?: readonly RowKey[] | undefined;
  /** Which figures the engine reads (default: `FIGURES`). */
  readonly figures?: Pick<RowValue, 'plain' | 'thousands'> | undefined;
  /** Columns of remarks, which `resolve` is told of. */
  readonly remarks?: readonly number[] | undefined;
  /** The kind of points that empty cells are, which are not read. */
  readonly empty?: string | undefined;
  /**
   * The meaning of a text that the engine has not read, without spaces around it, and of its remarks. Without it, empty texts
   * are null, and those that are no numbers reject the row.
   */
  readonly resolve?: ((text: string, remarks: readonly string[]) => RowAnswer) | undefined;
}

/** How rows become points: by the keys of all values, and those of each. */
export function planRows({
  keys: shared,
  values,
  ...others
}: Pick<RowPlan, 'constants' | 'notRead'> & {
  readonly keys: readonly RowKey[];
  readonly values: readonly TableValue[];
}): RowPlan {
  const planned = values.map((value, i) => {
    const { column, gives, figures = FIGURES, keys: more = [] } = value;
    const given: RowKey[] = gives === undefined ? [] : [{ texts: [], resolve: () => gives }];
    return { column, ...figures, own: [...given, valueKey(value, i), ...more] };
  });
  return { ...planKeys(shared, planned), ...others };
}

/** Assigns positions to keys: first the keys that all values share, then the keys of each value. */
export function planKeys(
  shared: readonly RowKey[],
  values: readonly (Omit<RowValue, 'keys'> & { readonly own: readonly RowKey[] })[],
): Pick<RowPlan, 'keys' | 'values'> {
  const keys = [...shared];
  const planned = values.map(({ own, ...value }): RowValue => {
    const first = keys.push(...own) - own.length;
    return { ...value, keys: own.map((_, at) => first + at) };
  });
  return { keys, values: planned };
}

function valueKey({ name, remarks = [], empty, resolve }: TableValue, ofValue: number): RowKey {
  return rowKey({
    texts: [{ ofValue }, ...remarks],
    resolve: (texts) => {
      const [text, ...told] = texts.map((one) => one.trim());
      if (text === PLAIN_NUMBER) return {};
      if (text === '' && empty !== undefined) return { notRead: empty };
      if (resolve !== undefined) return resolve(text!, told);
      return { value: text === '' ? null : parseRowNumber(text!, name) };
    },
  });
}
