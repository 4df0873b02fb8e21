/**
 * USDA NASS, Quick Stats: corn for grain, area harvested (acres) and yield (bushels per acre) by state and year, from the
 * R package agridat (nass.corn, "acres harvested" and "average yield"). Rows have year, acres and yield.
 */
export const CORN_BY_STATE = {
  'New York': [
    [2002, 460_000, 97],
    [2003, 440_000, 121],
    [2004, 500_000, 122],
    [2005, 460_000, 124],
    [2006, 480_000, 129],
    [2007, 550_000, 128],
    [2008, 640_000, 144],
    [2009, 595_000, 134],
    [2010, 590_000, 150],
    [2011, 620_000, 133],
  ],
  Washington: [
    [2002, 70_000, 190],
    [2003, 70_000, 195],
    [2004, 105_000, 200],
    [2005, 80_000, 205],
    [2006, 75_000, 210],
    [2007, 115_000, 210],
    [2008, 90_000, 205],
    [2009, 105_000, 215],
    [2010, 125_000, 205],
    [2011, 125_000, 225],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [number, number, number])[]>>;
