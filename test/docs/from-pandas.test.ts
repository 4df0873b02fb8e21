import { Table } from 'apache-arrow';
import { expect, it } from 'vitest';
import { Chart } from '../../src/charts/chart.js';
import * as charts from '../../src/charts.js';
import * as frame from '../../src/frame.js';
import * as cropframe from '../../src/index.js';
import { sql } from '../../src/sql.js';
import { readBlocks } from './markdown.js';

const [tables, ...BLOCKS] = readBlocks('docs/from-pandas.md').map(({ text }) =>
  text.replaceAll(/^import .*\n/gm, ''),
);

const NAMES = { ...cropframe, ...frame, ...charts, sql };

/** The value of an expression over the tables of the page. */
async function evaluate(expression: string): Promise<unknown> {
  const AsyncFunction = (async () => {}).constructor as new (
    ...texts: string[]
  ) => (...values: unknown[]) => unknown;
  const run = new AsyncFunction(...Object.keys(NAMES), `${tables}\nreturn ${expression}`);
  return run(...Object.values(NAMES));
}

/** Each idiom of pandas with the expression below it. */
const IDIOMS = BLOCKS.flatMap((text) =>
  text.split(/^(?=\/\/ )/m).flatMap((part) => {
    const [, idiom, expression] = /^\/\/ (.+)\n([\s\S]+)$/.exec(part.trim()) ?? [];
    return idiom === undefined ? [] : [[idiom, expression!] as const];
  }),
);

const ROWS = [
  'North 2020 corn 10 9.5',
  'North 2021 corn 12 ',
  'South 2020 wheat 20 6.1',
  'South 2021 corn 18 10.2',
];
const [NORTH_2020, NORTH_2021, SOUTH_2020, SOUTH_2021] = ROWS;
const withLast = (values: readonly unknown[]) => ROWS.map((row, at) => `${row} ${values[at]}`);

/** What pandas gives, row by row; for the sample, what the seed gives here. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  "pd.read_csv(StringIO('a,b\\n1,x\\n'))": ['1 x'],
  "pd.DataFrame([{'a': 1, 'b': True}])": ['1 true'],
  'owners.to_csv(index=False)': 'name,state\r\nNorth,Iowa\r\nWest,Ohio\r\n',
  "owners.to_dict('records')": [
    { name: 'North', state: 'Iowa' },
    { name: 'West', state: 'Ohio' },
  ],
  "df['area'].to_numpy()": [10, 12, 20, 18],
  'df.columns.tolist()': ['farm', 'year', 'crop', 'area', 'yield'],
  'len(df)': 4,
  'df.head(2)': [NORTH_2020, NORTH_2021],
  'df.sample(2, random_state=7)': [NORTH_2020, NORTH_2021],
  'df.describe()': [
    'farm Utf8 4 0 2       North South',
    'year Float64 4 0 2 2020.5 2020 2020 2020.5 2021 2021  ',
    'crop Utf8 4 0 2       corn wheat',
    'area Float64 4 0 4 15 10 11.5 15 18.5 20  ',
    'yield Float64 3 1 3 8.6 6.1 7.8 9.5 9.85 10.2  ',
  ],
  "df['crop'].unique()": ['corn', 'wheat'],
  "df['crop'].value_counts()": ['corn 3', 'wheat 1'],
  "df.plot.scatter(x='area', y='yield')": 'yield by area: scatter of 3 rows.',
  "df[df['area'] > 15]": [SOUTH_2020, SOUTH_2021],
  'df.query("crop == \'corn\' and year == 2021")': [NORTH_2021, SOUTH_2021],
  "df.dropna(subset=['yield'])": [NORTH_2020, SOUTH_2020, SOUTH_2021],
  "df[['farm', 'yield']]": ['North 9.5', 'North ', 'South 6.1', 'South 10.2'],
  "df.rename(columns={'yield': 't_ha'})": ROWS,
  "df.assign(total=df['area'] * df['yield'])": withLast([95, '', 122, 183.6]),
  "df.assign(known=df['yield'].fillna(0))": withLast([9.5, 0, 6.1, 10.2]),
  "df.assign(upper=df['farm'].str.upper())": withLast(['NORTH', 'NORTH', 'SOUTH', 'SOUTH']),
  "df.sort_values(['crop', 'yield'], ascending=[True, False])": [
    SOUTH_2021,
    NORTH_2020,
    NORTH_2021,
    SOUTH_2020,
  ],
  "df.nlargest(1, 'yield')": [SOUTH_2021],
  'pd.concat([df, df])': [...ROWS, ...ROWS],
  "df.merge(owners, left_on='farm', right_on='name')": [`${NORTH_2020} Iowa`, `${NORTH_2021} Iowa`],
  "df.merge(owners, left_on='farm', right_on='name', how='left')": withLast(['Iowa', 'Iowa', '', '']),
  "df[~df['farm'].isin(owners['name'])]": [SOUTH_2020, SOUTH_2021],
  "df.groupby('crop')['area'].sum()": ['corn 40', 'wheat 20'],
  // A row is an object, whose keys that are whole numbers come first.
  "df.pivot_table(index='farm', columns='year', values='yield')": ['9.5  North', '6.1 10.2 South'],
  "df.melt(id_vars=['farm', 'year'], value_vars=['area', 'yield'])": [
    ...['North 2020 area 10', 'North 2020 yield 9.5', 'North 2021 area 12', 'North 2021 yield '],
    ...['South 2020 area 20', 'South 2020 yield 6.1', 'South 2021 area 18', 'South 2021 yield 10.2'],
  ],
  "df.groupby('farm')['area'].shift(1)": ['', '10', '', '20'],
  "df['area'].rolling(2, min_periods=1).mean()": ['10', '11', '16', '19'],
  "df.groupby('farm')['area'].rank(method='min')": ['1', '2', '2', '1'],
  "df['area'].quantile(0.9)": ['19.4'],
  "df['area'].corr(df['yield'])": ['-0.526'],
};

function shown(value: unknown): unknown {
  if (value instanceof Table)
    return cropframe.toRows(value).map((row) =>
      Object.values(row)
        .map((cell) => (typeof cell === 'bigint' ? Number(cell) : cell))
        .join(' '),
    );
  if (value instanceof Chart) return value.spec.description;
  return ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value;
}

it.each(IDIOMS)('%s', async (idiom, expression) => {
  expect(shown(await evaluate(expression))).toEqual(ANSWERS[idiom]);
});
