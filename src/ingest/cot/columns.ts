import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { itemId } from '../vocabulary/items.js';

/** The meaning of a column of figures. */
export interface CotMeasure {
  readonly name: string;
  readonly definition: string;
  readonly alias: string;
  readonly unit: 'contract' | 'trader' | '%';
}

/** A column of figures that is read. */
export interface CotColumn {
  readonly at: number;
  readonly measure: CotMeasure;
}

/** The columns of a header. */
interface CotColumns {
  readonly read: readonly CotColumn[];
  /** The kind of each column of figures that is not read. */
  readonly notRead: readonly string[];
}

/** A column's name without case, spaces and marks, because the spellings differ between reports and even within one. */
export function foldColumn(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

const CLASSES: Readonly<Record<string, string>> = {
  noncommercial: 'non-commercial',
  commercial: 'commercial',
  totalreportable: 'all reportable',
  totrept: 'all reportable',
  nonreportable: 'non-reportable',
  nonrept: 'non-reportable',
  prodmerc: 'producer and merchant',
  swap: 'swap dealer',
  mmoney: 'managed money',
  otherrept: 'other reportable',
};

const CROPS: Readonly<Record<string, readonly [suffix: string, definition: string]>> = {
  all: ['', ''],
  old: [', old crop', ' Of the old crop year, where the market has crop years; else of all futures.'],
  other: [', other crops', ' Of all other crop years, where the market has crop years.'],
};

const CLASS = `(${Object.keys(CLASSES).join('|')})`;
const CROP = '(all|old|other)';
const SIDE = '(long|short|spread)(?:ing)?';

type MeasureOf = (match: readonly string[]) => Omit<CotMeasure, 'alias'>;

const MEASURES: readonly (readonly [RegExp, MeasureOf])[] = [
  [
    new RegExp(`^openinterest${CROP}$`),
    ([, crop]) =>
      withCrop(crop!, 'Open interest', 'contract', 'Contracts that are open at the end of the day.'),
  ],
  [
    new RegExp(`^${CLASS}positions${SIDE}${CROP}$`),
    ([, who, side, crop]) => {
      const traders = CLASSES[who!]!;
      const held = side === 'spread' ? 'both long and short' : side;
      const definition = `Contracts that ${traders} traders hold ${held} at the end of the day.`;
      return withCrop(crop!, `${upper(side!)} positions, ${traders}`, 'contract', definition);
    },
  ],
  [
    new RegExp(`^traderstot(?:al)?${CROP}$`),
    ([, crop]) => withCrop(crop!, 'Traders', 'trader', 'Traders with reportable positions.'),
  ],
  [
    new RegExp(`^traders${CLASS}${SIDE}${CROP}$`),
    ([, who, side, crop]) => {
      const traders = CLASSES[who!]!;
      const definition = `Number of ${traders} traders with ${side} positions.`;
      return withCrop(crop!, `Traders with ${side} positions, ${traders}`, 'trader', definition);
    },
  ],
  [
    new RegExp(`^conc(?:entration)?(gross|net)l[te](4|8)tdr(long|short)${CROP}$`),
    ([, kind, number, side, crop]) => {
      const name = `${upper(kind!)} ${side} share of the ${number} largest traders`;
      return withCrop(crop!, name, '%', `Share of the open interest, by ${kind} ${side} positions.`);
    },
  ],
];

/** Columns that identify a row. */
const DESCRIPTIONS =
  /^(marketandexchangenames|asofdate\w*|reportdate\w*|cftc\w*code\w*|contractunits|futonlyorcombined)$/;

/** Columns that follow from others, by kind. */
const DERIVED: readonly (readonly [RegExp, string])[] = [
  [/^changein/, 'changes since the report before'],
  [/^(pct)?of(oi|openinterest)/, 'shares of the open interest'],
];

/** The meaning of each column of a header. */
export function readCotColumns(header: readonly string[]): CotColumns {
  const read: CotColumn[] = [];
  const notRead: string[] = [];
  for (const [at, name] of header.entries()) {
    const folded = foldColumn(name);
    const measure = findMeasure(folded);
    if (measure !== undefined) read.push({ at, measure });
    else if (!DESCRIPTIONS.test(folded))
      notRead.push(DERIVED.find(([pattern]) => pattern.test(folded))?.[1] ?? (name || `column ${at + 1}`));
  }
  return { read, notRead };
}

function findMeasure(folded: string): CotMeasure | undefined {
  for (const [pattern, measureOf] of MEASURES) {
    const match = pattern.exec(folded);
    if (match !== null) {
      const measure = measureOf(match);
      return { ...measure, alias: `COT ${measure.name.toLowerCase()}` };
    }
  }
  return undefined;
}

function withCrop(
  crop: string,
  name: string,
  unit: CotMeasure['unit'],
  definition: string,
): Omit<CotMeasure, 'alias'> {
  const [suffix, more] = CROPS[crop]!;
  return { name: `${name}${suffix}`, unit, definition: `${definition}${more}` };
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * The shared item of a contract market, by its code: one market for each item. The other markets of a commodity, such as
 * mini contracts, are items below it.
 */
const SHARED_ITEMS: ReadonlyMap<string, number> = itemsByCode([
  ['002602', 'Corn'],
  ['004603', 'Oats'],
  ['005602', 'Soybeans'],
  ['007601', 'Soybean oil'],
  ['026603', 'Soybean meal'],
  ['033661', 'Cotton'],
  ['039601', 'Rice'],
  ['080732', 'Sugar'],
  ['083731', 'Coffee'],
  ['135731', 'Canola'],
]);

/** The shared item of a commodity, to which its other markets belong, by the CFTC's code of the commodity. */
const COMMODITIES: ReadonlyMap<string, number> = itemsByCode([
  ['001', 'Wheat'],
  ['002', 'Corn'],
  ['004', 'Oats'],
  ['005', 'Soybeans'],
  ['007', 'Soybean oil'],
  ['026', 'Soybean meal'],
  ['033', 'Cotton'],
  ['039', 'Rice'],
  ['080', 'Sugar'],
  ['083', 'Coffee'],
  ['135', 'Canola'],
]);

function itemsByCode(rows: readonly (readonly [code: string, item: string])[]): Map<string, number> {
  return new Map(rows.map(([code, name]) => [code, itemId(name)]));
}

/** Names of markets that have had several in the files, with the item to which they belong. */
const NAMED: ReadonlyMap<string, readonly [name: string, parent: string, alias: string]> = new Map([
  ['001602', ['Soft red winter wheat, Chicago', 'Winter wheat', 'SRW wheat|Chicago wheat']],
  ['001612', ['Hard red winter wheat, Kansas City', 'Winter wheat', 'HRW wheat|Kansas City wheat|KC wheat']],
  ['001626', ['Hard red spring wheat, Minneapolis', 'Spring wheat', 'HRS wheat|Minneapolis wheat']],
]);

/** The fields of a row that determine its market. */
interface CotMarketText {
  /** The CFTC's code of the contract market, six characters. */
  readonly code: string;
  /** Contract and exchange, as in `CORN - CHICAGO BOARD OF TRADE`. */
  readonly name: string;
  readonly commodity: string;
}

/**
 * The item of a contract market. The code alone identifies it: exchanges merge and rename their contracts, and keep it.
 * @throws RowError when the row has no code of a market, or no name of an unknown one
 */
export function resolveMarket({ code, name, commodity }: CotMarketText, batch: BatchBuilder): number {
  if (!/^[0-9A-Z+]{6}$/.test(code)) throw new RowError(`"${code}" is not the code of a contract market`);
  return (
    SHARED_ITEMS.get(code) ??
    batch.addNamedEntity('items', `cot:market:${code}`, marketItem(code, name, commodity))
  );
}

function marketItem(code: string, text: string, commodity: string): Omit<NewEntity<'items'>, 'id'> {
  const definition = `Contract market ${code} of the CFTC.`;
  const named = NAMED.get(code);
  if (named !== undefined) {
    const [name, parent, alias] = named;
    return { name, definition, belongsTo: [itemId(parent)], aliases: [...alias.split('|'), code] };
  }
  if (text === '') throw new RowError(`the market ${code} has no name`);
  const parent = COMMODITIES.get(commodity);
  return { name: text, definition, belongsTo: parent === undefined ? [] : [parent], aliases: [code] };
}
