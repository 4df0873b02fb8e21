import type { NewEntity } from '../../store/store.js';
import { type BatchBuilder, RowError } from '../batch/batch-builder.js';
import { itemId } from '../vocabulary/items.js';
import { readPairs, readTable } from '../vocabulary/text-table.js';

/** The meaning of a column of figures. */
export interface CotMeasure {
  readonly name: string;
  readonly definition: string;
  readonly alias: string;
  readonly unit: 'contract' | 'trader' | '%';
}

/**
 * Normalizes the name of a column: case, spaces and punctuation are dropped, because the spellings differ between
 * reports and even within one. `Postions`, `Spead` and `NComm` are the CFTC's own spellings.
 */
export function foldColumn(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return letters
    .replace('postions', 'positions')
    .replace('spead', 'spread')
    .replace(/^ncomm/, 'noncomm');
}

const CLASSES = readPairs(`
  noncommercial = non-commercial; commercial = commercial; totalreportable = all reportable;
  noncomm = non-commercial; comm = commercial;
  totrept = all reportable; nonreportable = non-reportable; nonrept = non-reportable;
  prodmerc = producer and merchant; swap = swap dealer; mmoney = managed money; otherrept = other reportable;
  dealer = dealer; assetmgr = asset manager; levmoney = leveraged funds; cit = index trader
`);

type CropText = readonly [name: string, definition: string];
const ALL: CropText = ['', ''];
const OLD: CropText = [
  ', old crop',
  ' Of the old crop year, where the market has crop years; else of all futures.',
];
const OTHER: CropText = [', other crops', ' Of all other crop years, where the market has crop years.'];
/**
 * Suffixes of names and definitions by the crop year of a column. In the public reporting environment, many column names
 * lack the crop year and have a number instead.
 */
const CROPS: ReadonlyMap<string, CropText> = new Map([
  ['all', ALL],
  ['old', OLD],
  ['other', OTHER],
  ['', ALL],
  ['1', OLD],
  ['2', OTHER],
]);
/**
 * Spread positions of the legacy report in the public reporting environment, where `noncomm_postions_spread_all` is the
 * column of all crops.
 */
const SPREAD_BY_CROP: ReadonlyMap<string, string> = new Map([
  ['noncommpositionsspread', 'noncommpositionsspreadold'],
  ['noncommpositionsspread1', 'noncommpositionsspreadother'],
]);

const PARTS: Readonly<Record<string, string>> = {
  who: [...CLASSES.keys()].join('|'),
  side: 'long|short|spread',
  way: 'long|short',
  crop: [...CROPS.keys()].join('|'),
  kind: 'gross|net',
  number: '4|8',
  without: '(?:nocit)?',
};

/** Folded columns, the unit of their figures, and the name and definition of their metric, by the parts of the column. */
const MEASURES = readTable(`
  openinterest<crop> | contract | Open interest | Contracts that are open at the end of the day.
  <who>positions<side>(ing)?<crop><without> | contract | <Side> positions, <who> | Contracts that <who> traders hold <held> at the end of the day.
  traderstot(al)?<crop> | trader | Traders | Traders with reportable positions.
  traders<who><side>(ing)?<crop><without> | trader | Traders with <side> positions, <who> | Number of <who> traders with <side> positions.
  conc(entration)?<kind>l[te]<number>tdr<way><crop> | % | <Kind> <way> share of the <number> largest traders | Share of the open interest, by <kind> <way> positions.
`).map(([column, unit, name, definition]) => ({
  pattern: new RegExp(`^${column!.replace(/<(\w+)>/g, (_, part: string) => `(?<${part}>${PARTS[part]})`)}$`),
  unit: unit as CotMeasure['unit'],
  name: name!,
  definition: definition!,
}));

/** Columns that identify or describe a row. */
const DESCRIPTIONS =
  /^(id|marketandexchangenames|asofdate\w*|reportdate\w*|yyyyreportweekww|cftc\w*code\w*|contractunits|contractmarketname|commodity(sub)?(group)?(name)?|futonlyorcombined)$/;

/** Columns that follow from others, by kind. */
const DERIVED: readonly (readonly [RegExp, string])[] = [
  [/^change/, 'changes since the report before'],
  [/^(pct|of|pctof)(oi|openinterest)/, 'shares of the open interest'],
];

/** The columns of figures of a header that are read, and the kind of each of the others. */
export function readCotColumns(header: readonly string[]) {
  const read: { readonly at: number; readonly measure: CotMeasure }[] = [];
  const notRead: string[] = [];
  for (const [at, name] of header.entries()) {
    const folded = foldColumn(name);
    const measure = findMeasure(SPREAD_BY_CROP.get(folded) ?? folded);
    if (measure !== undefined) read.push({ at, measure });
    else if (!DESCRIPTIONS.test(folded))
      notRead.push(DERIVED.find(([pattern]) => pattern.test(folded))?.[1] ?? (name || `column ${at + 1}`));
  }
  return { read, notRead };
}

function findMeasure(folded: string): CotMeasure | undefined {
  for (const { pattern, unit, name, definition } of MEASURES) {
    const parts = pattern.exec(folded)?.groups;
    if (parts === undefined) continue;
    const { crop = '', who = '', side = '', kind = '', without = '' } = parts;
    const words: Readonly<Record<string, string | undefined>> = {
      ...parts,
      who: CLASSES.get(who) + (without && ', non-index'),
      held: side === 'spread' ? 'both long and short' : side,
      Side: upper(side),
      Kind: upper(kind),
    };
    const filled = (text: string) => text.replace(/<(\w+)>/g, (_, word: string) => words[word]!);
    const [suffix, more] = CROPS.get(crop)!;
    const full = filled(name) + suffix;
    return { name: full, unit, definition: filled(definition) + more, alias: `COT ${full.toLowerCase()}` };
  }
  return undefined;
}

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/**
 * The shared item of a contract market, by its code: one market for each item. The other markets of a commodity, such as
 * mini contracts, are items below it.
 */
const SHARED_ITEMS = itemsByCode(`
  002602 = Corn; 004603 = Oats; 005602 = Soybeans; 007601 = Soybean oil; 026603 = Soybean meal; 033661 = Cotton;
  039601 = Rice; 080732 = Sugar; 083731 = Coffee; 135731 = Canola
`);

/** The shared item of a commodity, to which its other markets belong, by the CFTC's code of the commodity. */
const COMMODITIES = itemsByCode(`
  001 = Wheat; 002 = Corn; 004 = Oats; 005 = Soybeans; 007 = Soybean oil; 026 = Soybean meal; 033 = Cotton;
  039 = Rice; 080 = Sugar; 083 = Coffee; 135 = Canola
`);

function itemsByCode(pairs: string): ReadonlyMap<string, number> {
  return new Map([...readPairs(pairs)].map(([code, name]) => [code, itemId(name)]));
}

/** Names of markets that have had several in the files, with the item to which they belong. */
const NAMED: ReadonlyMap<string, readonly [name: string, parent: string, alias: string]> = new Map([
  ['001602', ['Soft red winter wheat, Chicago', 'Winter wheat', 'SRW wheat|Chicago wheat']],
  ['001612', ['Hard red winter wheat, Kansas City', 'Winter wheat', 'HRW wheat|Kansas City wheat|KC wheat']],
  ['001626', ['Hard red spring wheat, Minneapolis', 'Spring wheat', 'HRS wheat|Minneapolis wheat']],
]);

/**
 * The item of a contract market. The code alone identifies it: exchanges merge and rename their contracts, and keep it. The
 * name is that of contract and exchange, as in `CORN - CHICAGO BOARD OF TRADE`.
 * @throws RowError when the row has no code of a market, or no name of an unknown one
 */
export function resolveMarket(
  { code, name, commodity }: Readonly<Record<'code' | 'name' | 'commodity', string>>,
  batch: BatchBuilder,
): number {
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
