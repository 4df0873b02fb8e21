/** What a unit measures; only units of the same dimension convert into each other. */
export type Dimension =
  | 'temperature'
  | 'length'
  | 'area'
  | 'mass'
  | 'yield'
  | 'speed'
  | 'irradiation'
  | 'pressure'
  | 'share'
  | 'count'
  | 'usd-per-mass'
  | 'none';

/** The base unit of each dimension: `base = value × factor + offset`. */
export const BASE_UNITS: Readonly<Record<Exclude<Dimension, 'none'>, string>> = {
  temperature: '°C',
  length: 'mm',
  area: 'ha',
  mass: 't',
  yield: 't/ha',
  speed: 'm/s',
  irradiation: 'MJ/m²',
  pressure: 'kPa',
  share: '%',
  count: 'number',
  'usd-per-mass': 'USD/t',
};

/** Exact by definition: the international pound in tonnes and the international acre in hectares. */
const POUND_T = 0.00045359237;
const ACRE_HA = 0.40468564224;

/** US bushels in tonnes, by the legal weight of each crop in pounds. */
const BUSHEL_T = {
  corn: 0.02540117272,
  soybeans: 0.0272155422,
  wheat: 0.0272155422,
  sorghum: 0.02540117272,
  barley: 0.02177243376,
  oats: 0.01451495584,
  rye: 0.02540117272,
} as const;

/** The factor and the offset convert to the base unit of the dimension. */
type UnitRow = readonly [
  id: number,
  name: string,
  namePlural: string,
  abbreviation: string,
  dimension: Dimension,
  factor?: number,
  offset?: number,
];

const HUNDREDWEIGHT_T = 0.045359237;
const SHORT_TON_T = 0.90718474;
const COTTON_BALE_T = 0.2177243376;

export const UNIT_ROWS: readonly UnitRow[] = [
  [1, 'degree Celsius', 'degrees Celsius', '°C', 'temperature', 1],
  [2, 'degree Fahrenheit', 'degrees Fahrenheit', '°F', 'temperature', 5 / 9, -160 / 9],
  [3, 'kelvin', 'kelvins', 'K', 'temperature', 1, -273.15],
  [4, 'tenth of a degree Celsius', 'tenths of a degree Celsius', '0.1 °C', 'temperature', 0.1],

  [10, 'millimetre', 'millimetres', 'mm', 'length', 1],
  [11, 'inch', 'inches', 'in', 'length', 25.4],
  [12, 'centimetre', 'centimetres', 'cm', 'length', 10],
  [13, 'metre', 'metres', 'm', 'length', 1000],
  [14, 'foot', 'feet', 'ft', 'length', 304.8],

  [20, 'hectare', 'hectares', 'ha', 'area', 1],
  [21, 'acre', 'acres', 'ac', 'area', ACRE_HA],
  [22, 'thousand hectares', 'thousand hectares', 'kha', 'area', 1000],
  [23, 'million hectares', 'million hectares', 'Mha', 'area', 1e6],
  [24, 'thousand acres', 'thousand acres', '1000 ac', 'area', 404.68564224],
  [25, 'million acres', 'million acres', 'Mac', 'area', 404685.64224],
  [26, 'square kilometre', 'square kilometres', 'km²', 'area', 100],

  [30, 'tonne', 'tonnes', 't', 'mass', 1],
  [31, 'kilogram', 'kilograms', 'kg', 'mass', 0.001],
  [32, 'pound', 'pounds', 'lb', 'mass', POUND_T],
  [33, 'thousand tonnes', 'thousand tonnes', 'kt', 'mass', 1000],
  [34, 'million tonnes', 'million tonnes', 'Mt', 'mass', 1e6],
  [35, 'short ton', 'short tons', 'short ton', 'mass', SHORT_TON_T],
  [36, 'hundredweight', 'hundredweights', 'cwt', 'mass', HUNDREDWEIGHT_T],
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
  [41, 'bushel of corn', 'bushels of corn', 'bu (corn)', 'mass', BUSHEL_T.corn],
  [42, 'bushel of soybeans', 'bushels of soybeans', 'bu (soybeans)', 'mass', BUSHEL_T.soybeans],
  [43, 'bushel of wheat', 'bushels of wheat', 'bu (wheat)', 'mass', BUSHEL_T.wheat],
  [44, 'bushel of sorghum', 'bushels of sorghum', 'bu (sorghum)', 'mass', BUSHEL_T.sorghum],
  [45, 'bushel of barley', 'bushels of barley', 'bu (barley)', 'mass', BUSHEL_T.barley],
  [46, 'bushel of oats', 'bushels of oats', 'bu (oats)', 'mass', BUSHEL_T.oats],
  [47, 'bushel of rye', 'bushels of rye', 'bu (rye)', 'mass', BUSHEL_T.rye],
  [48, 'bushel', 'bushels', 'bu', 'none'],
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
  [54, 'million bushels of corn', 'million bushels of corn', 'million bu (corn)', 'mass', 25401.17272],
  [
    55,
    'million bushels of soybeans',
    'million bushels of soybeans',
    'million bu (soybeans)',
    'mass',
    27215.5422,
  ],
  [56, 'million bushels of wheat', 'million bushels of wheat', 'million bu (wheat)', 'mass', 27215.5422],
  [
    57,
    'million bushels of sorghum',
    'million bushels of sorghum',
    'million bu (sorghum)',
    'mass',
    25401.17272,
  ],
  [58, 'million bushels of barley', 'million bushels of barley', 'million bu (barley)', 'mass', 21772.43376],
  [59, 'million bushels of oats', 'million bushels of oats', 'million bu (oats)', 'mass', 14514.95584],

  [70, 'tonne per hectare', 'tonnes per hectare', 't/ha', 'yield', 1],
  [71, 'kilogram per hectare', 'kilograms per hectare', 'kg/ha', 'yield', 0.001],
  [72, 'hectogram per hectare', 'hectograms per hectare', 'hg/ha', 'yield', 0.0001],
  [73, 'pound per acre', 'pounds per acre', 'lb/ac', 'yield', POUND_T / ACRE_HA],
  [74, 'short ton per acre', 'short tons per acre', 'short ton/ac', 'yield', SHORT_TON_T / ACRE_HA],
  [75, 'hundredweight per acre', 'hundredweights per acre', 'cwt/ac', 'yield', HUNDREDWEIGHT_T / ACRE_HA],
  [
    76,
    'bushel of corn per acre',
    'bushels of corn per acre',
    'bu/ac (corn)',
    'yield',
    BUSHEL_T.corn / ACRE_HA,
  ],
  [
    77,
    'bushel of soybeans per acre',
    'bushels of soybeans per acre',
    'bu/ac (soybeans)',
    'yield',
    BUSHEL_T.soybeans / ACRE_HA,
  ],
  [
    78,
    'bushel of wheat per acre',
    'bushels of wheat per acre',
    'bu/ac (wheat)',
    'yield',
    BUSHEL_T.wheat / ACRE_HA,
  ],
  [
    79,
    'bushel of sorghum per acre',
    'bushels of sorghum per acre',
    'bu/ac (sorghum)',
    'yield',
    BUSHEL_T.sorghum / ACRE_HA,
  ],
  [
    80,
    'bushel of barley per acre',
    'bushels of barley per acre',
    'bu/ac (barley)',
    'yield',
    BUSHEL_T.barley / ACRE_HA,
  ],
  [
    81,
    'bushel of oats per acre',
    'bushels of oats per acre',
    'bu/ac (oats)',
    'yield',
    BUSHEL_T.oats / ACRE_HA,
  ],
  [82, 'bushel of rye per acre', 'bushels of rye per acre', 'bu/ac (rye)', 'yield', BUSHEL_T.rye / ACRE_HA],
  [83, 'bushel per acre', 'bushels per acre', 'bu/ac', 'none'],
  [84, 'tonne per acre', 'tonnes per acre', 't/ac', 'yield', 1 / ACRE_HA],

  [90, 'metre per second', 'metres per second', 'm/s', 'speed', 1],
  [91, 'kilometre per hour', 'kilometres per hour', 'km/h', 'speed', 1 / 3.6],
  [92, 'mile per hour', 'miles per hour', 'mph', 'speed', 0.44704],

  [100, 'megajoule per square metre', 'megajoules per square metre', 'MJ/m²', 'irradiation', 1],
  [101, 'kilowatt-hour per square metre', 'kilowatt-hours per square metre', 'kWh/m²', 'irradiation', 3.6],
  [105, 'kilopascal', 'kilopascals', 'kPa', 'pressure', 1],
  [106, 'hectopascal', 'hectopascals', 'hPa', 'pressure', 0.1],

  [110, 'percent', 'percent', '%', 'share', 1],
  [111, 'ratio', 'ratios', 'ratio', 'share', 100],

  [120, 'number', 'numbers', 'number', 'count', 1],
  [121, 'thousand', 'thousands', '1000', 'count', 1000],
  [122, 'million', 'millions', 'million', 'count', 1e6],
  [123, 'head', 'head', 'head', 'count', 1],
  [124, 'thousand head', 'thousand head', '1000 head', 'count', 1000],
  [125, 'day', 'days', 'day', 'none'],

  [130, 'US dollar', 'US dollars', 'USD', 'none'],
  [131, 'US dollar per tonne', 'US dollars per tonne', 'USD/t', 'usd-per-mass', 1],
  [
    132,
    'US dollar per bushel of corn',
    'US dollars per bushel of corn',
    'USD/bu (corn)',
    'usd-per-mass',
    1 / BUSHEL_T.corn,
  ],
  [
    133,
    'US dollar per bushel of soybeans',
    'US dollars per bushel of soybeans',
    'USD/bu (soybeans)',
    'usd-per-mass',
    1 / BUSHEL_T.soybeans,
  ],
  [
    134,
    'US dollar per bushel of wheat',
    'US dollars per bushel of wheat',
    'USD/bu (wheat)',
    'usd-per-mass',
    1 / BUSHEL_T.wheat,
  ],
  [
    135,
    'US dollar per hundredweight',
    'US dollars per hundredweight',
    'USD/cwt',
    'usd-per-mass',
    1 / HUNDREDWEIGHT_T,
  ],
  [136, 'US dollar per pound', 'US dollars per pound', 'USD/lb', 'usd-per-mass', 1 / POUND_T],
  [
    137,
    'US dollar per short ton',
    'US dollars per short ton',
    'USD/short ton',
    'usd-per-mass',
    1 / SHORT_TON_T,
  ],
  [138, 'US cent per pound', 'US cents per pound', 'US¢/lb', 'usd-per-mass', 0.01 / POUND_T],
  [
    139,
    'US dollar per bushel of sorghum',
    'US dollars per bushel of sorghum',
    'USD/bu (sorghum)',
    'usd-per-mass',
    1 / BUSHEL_T.sorghum,
  ],
  [
    140,
    'US dollar per bushel of barley',
    'US dollars per bushel of barley',
    'USD/bu (barley)',
    'usd-per-mass',
    1 / BUSHEL_T.barley,
  ],
  [
    141,
    'US dollar per bushel of oats',
    'US dollars per bushel of oats',
    'USD/bu (oats)',
    'usd-per-mass',
    1 / BUSHEL_T.oats,
  ],
  [142, 'US dollar per acre', 'US dollars per acre', 'USD/ac', 'none'],
  [150, 'shilling', 'shillings', 's', 'none'],
  [151, 'shilling per quarter', 'shillings per quarter', 's/quarter', 'none'],
  [152, 'shilling per week', 'shillings per week', 's/week', 'none'],
];
