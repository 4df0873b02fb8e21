import { FIELD, type FlatTable, SCHEMA } from './flatbuffer.js';
import type { ElementType, SeriesStreamColumn } from './layout.js';

/** The columns of a schema. @throws RangeError when they have other types than those of a stream by series */
export function readColumns(schema: FlatTable): SeriesStreamColumn[] {
  if (schema.int16(SCHEMA.endianness, 0) !== 0) throw new RangeError('it is big-endian');
  return schema.tables(SCHEMA.fields).map((field) => {
    const list = field.byte(FIELD.typeKind, 0) === LIST;
    const element = list ? field.tables(FIELD.children)[0] : field;
    if (element === undefined) throw new RangeError('a list has no type');
    return {
      name: field.text(FIELD.name),
      type: readType(element),
      list,
      nullable: isNullable(field),
      nullableElements: list && isNullable(element),
    };
  });
}

function isNullable(field: FlatTable): boolean {
  return field.byte(FIELD.nullable, 0) === 1;
}

/** Kinds of types, by their order in Arrow's `Schema.fbs`. */
const INTEGER = 2;
const FLOATING_POINT = 3;
const UTF8 = 5;
const DATE = 8;
const TIMESTAMP = 10;
const LIST = 12;

/** The first fields of the tables of types: the width of an integer and its sign, the unit or precision of others. */
const WIDTH = 0;
const SIGNED = 1;
const UNIT = 0;

const DAY = 0;
const MILLISECOND = 1;
const DOUBLE = 2;

function readType(field: FlatTable): ElementType {
  if (field.has(FIELD.dictionary)) throw new RangeError('a column is dictionary-encoded');
  const type = field.table(FIELD.type);
  const name = typeName(field.byte(FIELD.typeKind, 0), type);
  if (name === undefined) throw new RangeError('a column has another type');
  return name;
}

function typeName(kind: number, type: FlatTable): ElementType | undefined {
  const integers: Readonly<Record<string, ElementType>> = {
    '32 0': 'uint32',
    '32 1': 'int32',
    '64 1': 'int64',
  };
  if (kind === INTEGER) return integers[`${type.int32(WIDTH, 0)} ${type.byte(SIGNED, 0)}`];
  if (kind === FLOATING_POINT) return type.int16(UNIT, 0) === DOUBLE ? 'float64' : undefined;
  if (kind === DATE) return type.int16(UNIT, MILLISECOND) === DAY ? 'date32' : undefined;
  if (kind === TIMESTAMP) return type.int16(UNIT, 0) === MILLISECOND ? 'timestamp' : undefined;
  return kind === UTF8 ? 'utf8' : undefined;
}
