import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orRowError } from '../../../src/ingest/batch/batch-builder.js';
import { createNumberParser, plainNumberSql } from '../../../src/ingest/document/numbers.js';
import { parseForm } from '../../../src/ingest/document/parse-form.js';

const parserOf = (keys: Readonly<Record<string, unknown>>) =>
  createNumberParser(
    parseForm({
      source: { name: 'Any' },
      region: 'place',
      item: 'crop',
      metric: 'measure',
      unit: 'unit',
      values: 'value',
      start_date: 'day',
      ...keys,
    }),
  );

describe('numbers of a table', () => {
  it.each([
    [{}, '-1,234,567.5', -1_234_567.5],
    [{}, '12,345', 12_345],
    [{}, '.5', 0.5],
    [{}, '1e-3', 0.001],
    [{ delimiter: ';' }, '1,234,567', 1_234_567],
    [{ delimiter: ';' }, '12,345.6', 12_345.6],
    [{ delimiter: ';', thousands: ',' }, '12,345', 12_345],
    [{ delimiter: ';', decimal: ',' }, '12,345', 12.345],
    [{ delimiter: ';', decimal: ',' }, '-1.234.567,8', -1_234_567.8],
    [{ decimal: ',', thousands: '.' }, '1.234', 1234],
    [{ decimal: ',', thousands: ' ' }, '1 234\u00a0567,25', 1_234_567.25],
    [{ thousands: "'" }, '1’234.5', 1234.5],
    [{ thousands: '' }, '1234.5', 1234.5],
    [{ delimiter: ';' }, '0.125', 0.125],
    [{ delimiter: ';', decimal: '.' }, '1.234', 1.234],
    [{ delimiter: ';', thousands: '.' }, '1.234', 1234],
    [{}, '9007199254740992', 9_007_199_254_740_992],
    [{}, '100000000000000000000', 1e20],
  ])('%j reads %s', (keys, text, value) => {
    expect(parserOf(keys)(text, 'value')).toBe(value);
  });

  it.each([
    [{ delimiter: ';' }, '12,345', 'could be 12.345 or 12345; set "decimal": "," or "thousands": ","'],
    [{ delimiter: ';', decimal: ',' }, '1.234', 'could be 1.234 or 1234; set "decimal": "." or'],
    [{ delimiter: ';' }, '1.234', 'could be 1.234 or 1234; set "decimal": "." or "thousands": "."'],
    [{ delimiter: ';' }, '12,5', 'is not a number; set "decimal": "," in the document'],
    [{ decimal: ',' }, '1234.5', 'is not a number; set "decimal": "." in the document'],
    [{ decimal: ',' }, '1 234,5', 'specify the thousands separator'],
    [{ thousands: '' }, '1,234', 'is not a number'],
    [{ thousands: ' ' }, '12 34', 'is not a number'],
    [{}, '1,23,456', 'is not a number'],
    [{}, 'lots', /is not a number$/],
    [{}, '.', /is not a number$/],
  ])('%j refuses %s', (keys, text, message) => {
    expect(() => parserOf(keys)(text, 'value')).toThrow(message);
  });

  it('are never rounded without a word', () => {
    for (const text of ['9007199254740993', '-9,007,199,254,740,993', '12345678901234567890'])
      expect(() => parserOf({})(text, 'value')).toThrow('has more digits than can be stored exactly');
  });

  it('are read by the engine only if the parser reads the same number', async () => {
    const characters = [...'07.-+_eE ,'];
    const longer = (texts: readonly string[]) => texts.flatMap((text) => characters.map((one) => text + one));
    const three = longer(longer(characters));
    const texts = [...characters, ...longer(characters), ...three, ...longer(three)];
    const format = { decimal: '.', delimiter: ',' } as const;
    const { number, isPlain } = plainNumberSql('text', format);
    const connection = await (await DuckDBInstance.create()).connect();
    const list = `unnest(from_json('${JSON.stringify(texts)}', '["VARCHAR"]'))`;
    const read = await connection.runAndReadAll(
      `SELECT text, ${number} FROM (SELECT ${list} AS text) WHERE ${isPlain}`,
    );
    const rows = read.getRows() as [string, number][];
    expect(rows.length).toBeGreaterThan(200);
    const parse = createNumberParser(format);
    expect(rows.filter(([text, value]) => orRowError(() => parse(text, 'value')) !== value)).toEqual([]);
  });

  it('are read back as they were written, with any marks', () => {
    const marks = fc.constantFrom(
      [',', '.'],
      [',', ' '],
      [',', "'"],
      ['.', ','],
      ['.', ' '],
      ['.', "'"],
      ['.', ''],
    );
    fc.assert(
      fc.property(fc.integer(), fc.nat(999), marks, (whole, thousandths, [decimal, thousands]) => {
        const grouped = String(Math.abs(whole)).replace(/\B(?=(\d{3})+$)/g, thousands!);
        const fraction = String(thousandths).padStart(3, '0');
        const text = `${whole < 0 ? '-' : ''}${grouped}${decimal}${fraction}`;
        const parse = parserOf({ delimiter: ';', decimal, thousands });
        expect(parse(text, 'value')).toBe(Number(`${whole < 0 ? '-' : ''}${Math.abs(whole)}.${fraction}`));
      }),
    );
  });
});
