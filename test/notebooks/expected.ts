/** Texts that each notebook must show when it is executed, in this order. */
export const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  '01-quickstart.ipynb': [
    '12 combinations',
    '1461 points cover 100%',
    'wide frame',
    'long frame',
    '998.65',
    '1962',
    'NOAA daily weather',
    '<svg',
    '0.152502',
    '0.847498',
    '111.1827',
    '1,461 rows',
    'PAR1',
  ],
};
