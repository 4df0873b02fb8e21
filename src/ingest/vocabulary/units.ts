import { DERIVED_UNITS } from '../../model/derivations.js';
import type { ConversionFactor, Unit } from '../../model/entity.js';
import { nearestWord } from '../../model/names/edit-distance.js';
import { requiredId } from './required-id.js';

/** The dimension of a unit. Only units of the same dimension convert into each other. */
export type Dimension = keyof typeof BASE_UNITS | (typeof WITHOUT_FACTORS)[number];

/** The base unit of each dimension, to which its units convert: `base = value × factor + offset`. */
export const BASE_UNITS = {
  temperature: '°C',
  length: 'mm',
  area: 'ha',
  mass: 't',
  'mass per area': 't/ha',
  speed: 'm/s',
  'energy per area': 'MJ/m²',
  pressure: 'kPa',
  share: '%',
  count: 'number',
  'money per mass': 'USD/t',
} as const;

/** Dimensions whose units do not convert, such as money and bushels of an unnamed crop. */
const WITHOUT_FACTORS = [
  'volume',
  'volume per area',
  'time',
  'power per area',
  'money',
  'money per area',
  'money per volume',
  'money per time',
  'money per energy',
] as const;

/** The international pound in tonnes and the international acre in hectares, exact by definition. */
const POUND_T = 0.00045359237;
const ACRE_HA = 0.40468564224;

/**
 * The crops that are counted in US bushels. Each has a bushel in tonnes, by its legal weight in pounds, and the ids of
 * the units of a bushel, a million bushels, a bushel per acre and a US dollar per bushel (null if there is none).
 */
const BUSHELS = [
  ['corn', 0.02540117272, 41, 54, 76, 132],
  ['soybeans', 0.0272155422, 42, 55, 77, 133],
  ['wheat', 0.0272155422, 43, 56, 78, 134],
  ['sorghum', 0.02540117272, 44, 57, 79, 139],
  ['barley', 0.02177243376, 45, 58, 80, 140],
  ['oats', 0.01451495584, 46, 59, 81, 141],
  ['rye', 0.02540117272, 47, null, 82, null],
] as const;

/** A unit. The factor and the offset convert its values to the base unit of the dimension. */
type UnitRow = readonly [
  id: number,
  name: string,
  namePlural: string,
  abbreviation: string,
  dimension: Dimension,
  factor?: number,
  offset?: number,
];

const CWT_T = 0.045359237;
/** A troy ounce in tonnes, exact by definition: 480 grains, while a pound has 7000. */
const TROY_OUNCE_T = 0.0000311034768;
const SHORT_TON_T = 0.90718474;
const COTTON_BALE_T = 0.2177243376;

const NAMED_ROWS: readonly UnitRow[] = [
  [1, 'degree Celsius', 'degrees Celsius', '°C', 'temperature', 1],
  [2, 'degree Fahrenheit', 'degrees Fahrenheit', '°F', 'temperature', 5 / 9, -160 / 9],
  [3, 'kelvin', 'kelvins', 'K', 'temperature', 1, -273.15],
  [4, 'tenth of a degree Celsius', 'tenths of a degree Celsius', '0.1 °C', 'temperature', 0.1],

  [10, 'millimetre', 'millimetres', 'mm', 'length', 1],
  [11, 'inch', 'inches', 'in', 'length', 25.4],
  [12, 'centimetre', 'centimetres', 'cm', 'length', 10],
  [13, 'metre', 'metres', 'm', 'length', 1000],
  [14, 'foot', 'feet', 'ft', 'length', 304.8],
  [15, 'kilometre', 'kilometres', 'km', 'length', 1e6],
  [16, 'mile', 'miles', 'mi', 'length', 1_609_344],

  [20, 'hectare', 'hectares', 'ha', 'area', 1],
  [21, 'acre', 'acres', 'ac', 'area', ACRE_HA],
  [22, 'thousand hectares', 'thousand hectares', 'kha', 'area', 1000],
  [23, 'million hectares', 'million hectares', 'Mha', 'area', 1e6],
  [24, 'thousand acres', 'thousand acres', '1000 ac', 'area', 404.68564224],
  [25, 'million acres', 'million acres', 'Mac', 'area', 404685.64224],
  [26, 'square kilometre', 'square kilometres', 'km²', 'area', 100],
  [27, 'square mile', 'square miles', 'sq mi', 'area', 640 * ACRE_HA],

  [30, 'tonne', 'tonnes', 't', 'mass', 1],
  [31, 'kilogram', 'kilograms', 'kg', 'mass', 0.001],
  [32, 'pound', 'pounds', 'lb', 'mass', POUND_T],
  [33, 'thousand tonnes', 'thousand tonnes', 'kt', 'mass', 1000],
  [34, 'million tonnes', 'million tonnes', 'Mt', 'mass', 1e6],
  [35, 'short ton', 'short tons', 'short ton', 'mass', SHORT_TON_T],
  [36, 'hundredweight', 'hundredweights', 'cwt', 'mass', CWT_T],
  [37, 'million hundredweights', 'million hundredweights', 'million cwt', 'mass', 45359.237],
  [38, '480-pound bale of cotton', '480-pound bales of cotton', 'bale', 'mass', COTTON_BALE_T],
  [
    39,
    'million 480-pound bales of cotton',
    'million 480-pound bales of cotton',
    'million bales',
    'mass',
    217724.3376,
  ],
  [40, '60-kilogram bag', '60-kilogram bags', '60 kg bag', 'mass', 0.06],
  [48, 'bushel', 'bushels', 'bu', 'volume'],
  [
    49,
    'thousand 480-pound bales of cotton',
    'thousand 480-pound bales of cotton',
    '1000 bales',
    'mass',
    217.7243376,
  ],
  [50, 'million pounds', 'million pounds', 'million lb', 'mass', 453.59237],
  [51, 'thousand short tons', 'thousand short tons', '1000 short tons', 'mass', 907.18474],
  [52, 'thousand 60-kilogram bags', 'thousand 60-kilogram bags', '1000 60 kg bags', 'mass', 60],
  [53, 'gram', 'grams', 'g', 'mass', 1e-6],

  [70, 'tonne per hectare', 'tonnes per hectare', 't/ha', 'mass per area', 1],
  [71, 'kilogram per hectare', 'kilograms per hectare', 'kg/ha', 'mass per area', 0.001],
  [72, 'hectogram per hectare', 'hectograms per hectare', 'hg/ha', 'mass per area', 0.0001],
  [73, 'pound per acre', 'pounds per acre', 'lb/ac', 'mass per area', POUND_T / ACRE_HA],
  [74, 'short ton per acre', 'short tons per acre', 'short ton/ac', 'mass per area', SHORT_TON_T / ACRE_HA],
  [75, 'hundredweight per acre', 'hundredweights per acre', 'cwt/ac', 'mass per area', CWT_T / ACRE_HA],
  [83, 'bushel per acre', 'bushels per acre', 'bu/ac', 'volume per area'],
  [84, 'tonne per acre', 'tonnes per acre', 't/ac', 'mass per area', 1 / ACRE_HA],

  [85, 'kilogram per square metre', 'kilograms per square metre', 'kg/m²', 'mass per area', 10],

  [90, 'metre per second', 'metres per second', 'm/s', 'speed', 1],
  [91, 'kilometre per hour', 'kilometres per hour', 'km/h', 'speed', 1 / 3.6],
  [92, 'mile per hour', 'miles per hour', 'mph', 'speed', 0.44704],
  [93, 'knot', 'knots', 'kn', 'speed', 1852 / 3600],

  [100, 'megajoule per square metre', 'megajoules per square metre', 'MJ/m²', 'energy per area', 1],
  [
    101,
    'kilowatt-hour per square metre',
    'kilowatt-hours per square metre',
    'kWh/m²',
    'energy per area',
    3.6,
  ],
  [102, 'watt per square metre', 'watts per square metre', 'W/m²', 'power per area'],
  [105, 'kilopascal', 'kilopascals', 'kPa', 'pressure', 1],
  [106, 'hectopascal', 'hectopascals', 'hPa', 'pressure', 0.1],
  [107, 'pascal', 'pascals', 'Pa', 'pressure', 0.001],

  [120, 'number', 'numbers', 'number', 'count', 1],
  [121, 'thousand', 'thousands', '1000', 'count', 1000],
  [122, 'million', 'millions', 'million', 'count', 1e6],
  [123, 'head', 'head', 'head', 'count', 1],
  [124, 'thousand head', 'thousand head', '1000 head', 'count', 1000],
  [125, 'day', 'days', 'day', 'time'],
  [126, 'person', 'people', 'people', 'count', 1],
  [127, 'second', 'seconds', 'sec', 'time'],
  [128, 'minute', 'minutes', 'min', 'time'],
  [129, 'hour', 'hours', 'h', 'time'],

  [130, 'US dollar', 'US dollars', 'USD', 'money'],
  [131, 'US dollar per tonne', 'US dollars per tonne', 'USD/t', 'money per mass', 1],
  [
    135,
    'US dollar per hundredweight',
    'US dollars per hundredweight',
    'USD/cwt',
    'money per mass',
    1 / CWT_T,
  ],
  [136, 'US dollar per pound', 'US dollars per pound', 'USD/lb', 'money per mass', 1 / POUND_T],
  [
    137,
    'US dollar per short ton',
    'US dollars per short ton',
    'USD/short ton',
    'money per mass',
    1 / SHORT_TON_T,
  ],
  [138, 'US cent per pound', 'US cents per pound', 'US¢/lb', 'money per mass', 0.01 / POUND_T],
  [142, 'US dollar per acre', 'US dollars per acre', 'USD/ac', 'money per area'],
  [160, 'US dollar per kilogram', 'US dollars per kilogram', 'USD/kg', 'money per mass', 1000],
  [
    161,
    'US dollar per troy ounce',
    'US dollars per troy ounce',
    'USD/ozt',
    'money per mass',
    1 / TROY_OUNCE_T,
  ],
  [162, 'US dollar per barrel', 'US dollars per barrel', 'USD/bbl', 'money per volume'],
  [163, 'US dollar per cubic metre', 'US dollars per cubic metre', 'USD/m³', 'money per volume'],
  [
    164,
    'US dollar per million British thermal units',
    'US dollars per million British thermal units',
    'USD/MMBtu',
    'money per energy',
  ],
  [150, 'shilling', 'shillings', 's', 'money'],
  [151, 'shilling per quarter', 'shillings per quarter', 's/quarter', 'money per volume'],
  [152, 'shilling per week', 'shillings per week', 's/week', 'money per time'],
];

const BUSHEL_ROWS = BUSHELS.flatMap(([crop, tonnes, bushel, million, perAcre, price]) => {
  const [one, many, of] = [`bushel of ${crop}`, `bushels of ${crop}`, `(${crop})`];
  const rows = [
    [bushel, one, many, `bu ${of}`, 'mass', tonnes],
    [million, `million ${many}`, `million ${many}`, `million bu ${of}`, 'mass', 1e6 * tonnes],
    [perAcre, `${one} per acre`, `${many} per acre`, `bu/ac ${of}`, 'mass per area', tonnes / ACRE_HA],
    [price, `US dollar per ${one}`, `US dollars per ${one}`, `USD/bu ${of}`, 'money per mass', 1 / tonnes],
  ] as const;
  return rows.filter((row): row is typeof row & UnitRow => row[0] !== null);
});

interface VocabularyUnit extends Unit {
  readonly dimension: Dimension;
}

function unitOfRow([id, name, namePlural, abbreviation, dimension, factor, offset]: UnitRow): VocabularyUnit {
  const baseConvFactor: ConversionFactor = {
    ...(factor === undefined ? {} : { factor }),
    ...(offset === undefined ? {} : { offset }),
  };
  return { id, name, namePlural, abbreviation, baseConvFactor, dimension };
}

/**
 * The units that importers share, by id. The ids are part of the contract and never change. Factors are exact by
 * definition, or quotients of exact ones. Currencies and bushels of an unnamed crop have no factor, so they do not
 * convert.
 */
export const UNITS: readonly VocabularyUnit[] = [
  ...[...NAMED_ROWS, ...BUSHEL_ROWS].map(unitOfRow),
  ...DERIVED_UNITS,
].sort((a, b) => a.id - b.id);

const ID_BY_NAME: ReadonlyMap<string, number> = new Map(
  UNITS.flatMap((unit) => [
    [unit.abbreviation, unit.id],
    [unit.name, unit.id],
    [unit.namePlural, unit.id],
  ]),
);

/** Finds the id of a unit by its abbreviation, name or plural. */
export function findUnitId(name: string): number | undefined {
  return ID_BY_NAME.get(name);
}

/**
 * Finds the unit that a string most likely means: by its abbreviation, ignoring case and symbols, or by a near name.
 */
export function nearestUnit(text: string): Unit | undefined {
  const written = lettersOf(text.replace(/^(US)?\$/, 'USD'));
  const letters = AS_WRITTEN.get(written) ?? written;
  const same = UNITS.find(({ abbreviation }) => letters !== '' && lettersOf(abbreviation) === letters);
  // A bushel without a crop is near the bushel of a crop: "USD/bu" is near "USD/bu (corn)".
  const ofCrop = UNITS.find(
    ({ abbreviation }) => /\bbu$/.test(letters) && lettersOf(abbreviation).startsWith(letters),
  );
  const isName = text.length >= MIN_NAME && !/\d/.test(text);
  const name = (isName && nearestWord(text, [...ID_BY_NAME.keys()])) || '';
  return same ?? ofCrop ?? UNITS.find(({ id }) => id === ID_BY_NAME.get(name));
}

/** Abbreviations as USDA writes them: its MT is not a megatonne. */
const AS_WRITTEN = new Map([
  ['mt', 't'],
  ['1000mt', 'kt'],
  ['1000t', 'kt'],
  ['1000ha', 'kha'],
]);
/** The minimum length of a string that is compared with names, because a shorter one is near too many names. */
const MIN_NAME = 5;

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}\p{Sc}/]/gu, '');
}

/** Returns a unit that only one source has, under the source's name. It has no factor, so it does not convert. */
export function sourceUnit(name: string): Omit<Unit, 'id'> {
  return { name, namePlural: name, abbreviation: name, baseConvFactor: {} };
}

/** Returns the id of a unit by its abbreviation, name or plural. */
export const unitId = requiredId(findUnitId, 'unit');

const DIMENSIONS: ReadonlyMap<number, Dimension> = new Map(UNITS.map(({ id, dimension }) => [id, dimension]));

/** Returns the dimension of a unit, or null for units outside the vocabulary. */
export function unitDimension(id: number): Dimension | null {
  return DIMENSIONS.get(id) ?? null;
}
