/** What the figures of a column are. */
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

/** Columns that say what a row is about. */
const DESCRIPTIONS =
  /^(marketandexchangenames|asofdate\w*|reportdate\w*|cftc\w*code\w*|contractunits|futonlyorcombined)$/;

/** Columns that follow from others, by kind. */
const DERIVED: readonly (readonly [RegExp, string])[] = [
  [/^changein/, 'changes since the report before'],
  [/^(pct)?of(oi|openinterest)/, 'shares of the open interest'],
];

/** What each column of a header holds. */
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
