/** Texts that each notebook must show when it is executed, in this order. */
export const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  '01-quickstart.ipynb': [
    '12 combinations',
    '1461 points cover 100%',
    'wide frame',
    'long frame',
    'Seattle 2012         998.65',
    'New York City 2015   1962.00',
    'NOAA daily weather',
    '<svg',
    'Washington   0.1525',
    'New York     0.8475',
    '111.1827',
    '1,461 rows',
    'PAR1',
  ],
};
