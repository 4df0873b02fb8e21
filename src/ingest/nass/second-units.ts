/**
 * Data items of Quick Stats that repeat a figure in a second unit: apples in pounds and in tons. Each has a metric of its
 * own, so that no series holds two figures of a period. Found by comparing all 31,102 data items as the package tidyUSDA
 * (0.4) lists them; of units the shared metric has the first of LB, CWT, BU and TONS.
 */
const SECOND_UNITS: Readonly<Record<string, readonly string[]>> = {
  'PRODUCTION, MEASURED IN TONS': [
    'ALMONDS, IN SHELL',
    'APPLES',
    'APPLES, UTILIZED',
    'ASPARAGUS, PROCESSING',
    'ASPARAGUS, PROCESSING, CANNED',
    'ASPARAGUS, PROCESSING, FROZEN',
    'BEANS, SNAP, ORGANIC',
    'BLUEBERRIES, TAME',
    'BLUEBERRIES, TAME, UTILIZED',
    'BLUEBERRIES, WILD',
    'BLUEBERRIES, WILD, UTILIZED',
    'CARROTS, ORGANIC',
    'CAULIFLOWER, PROCESSING',
    'CHERRIES, TART',
    'CHERRIES, TART, UTILIZED',
    'COFFEE',
    'FRUIT, OTHER, (EXCL BERRIES), ORGANIC',
    'OIL, CORN',
    'ONIONS, DRY, ORGANIC',
    'PAPAYAS',
    'PAPAYAS, UTILIZED',
    'PEACHES',
    'PEAS, GREEN, ORGANIC',
    'RASPBERRIES',
    'RASPBERRIES, UTILIZED',
    'SPINACH, ORGANIC',
    'STRAWBERRIES, PROCESSING, UTILIZED',
    'SWEET CORN, ORGANIC',
    'TOMATOES, ORGANIC, IN THE OPEN',
  ],
  'YIELD, MEASURED IN TONS / ACRE': [
    'ALMONDS, UTILIZED',
    'APPLES',
    'BLUEBERRIES, TAME',
    'BLUEBERRIES, WILD',
    'CHERRIES, TART',
    'COFFEE',
    'MACADAMIAS, UTILIZED',
    'PAPAYAS',
    'PEACHES',
    'PISTACHIOS, UTILIZED',
    'RASPBERRIES',
  ],
  'YIELD, MEASURED IN BU / ACRE': ['APPLES'],
  'PRICE RECEIVED, MEASURED IN $ / TON': [
    'ASPARAGUS, PROCESSING, CANNED',
    'ASPARAGUS, PROCESSING, FROZEN',
    'BEANS, GREEN, LIMA, BABY, PROCESSING, FROZEN',
    'BEANS, GREEN, LIMA, FORDHOOK, PROCESSING, FROZEN',
    'BEANS, SNAP, PROCESSING, CANNED',
    'BEANS, SNAP, PROCESSING, FROZEN',
    'STRAWBERRIES, PROCESSING',
  ],
  'YIELD, MEASURED IN CWT / ACRE': [
    'BEANS, DRY EDIBLE, INCL CHICKPEAS, IRRIGATED',
    'BEANS, DRY EDIBLE, INCL CHICKPEAS, NON-IRRIGATED',
  ],
  'PRICE RECEIVED, MEASURED IN $ / CWT': ['COTTON', 'COTTON, PIMA', 'GARLIC'],
  'SALES, MEASURED IN TONS': ['FRUIT, OTHER, (EXCL BERRIES), ORGANIC', 'PEAS, GREEN, ORGANIC'],
  'PRODUCTION, MEASURED IN BU': ['MILLET, PROSO, ORGANIC'],
  'PRODUCTION, MEASURED IN CWT': ['VEGETABLES, OTHER, ORGANIC'],
  'SALES, MEASURED IN CWT': ['VEGETABLES, OTHER, ORGANIC'],
};

const DATA_ITEMS: ReadonlySet<string> = new Set(
  Object.entries(SECOND_UNITS).flatMap(([metric, items]) => items.map((item) => `${item} - ${metric}`)),
);

/** Whether a data item repeats, in another unit, what another one has. */
export function isSecondUnit(shortDesc: string): boolean {
  return DATA_ITEMS.has(shortDesc);
}
