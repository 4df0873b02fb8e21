import { expect, it } from 'vitest';
import { Chart } from '../../src/charts/chart.js';
import * as charts from '../../src/charts.js';
import * as cropframe from '../../src/index.js';
import { exactRows } from '../frame/exact-rows.js';
import { readBlocks } from './markdown.js';

const [tables, ...BLOCKS] = readBlocks('docs/from-pandas.md').map(({ text }) =>
  text.replaceAll(/^import .*\n/gm, ''),
);

const NAMES = { ...cropframe, ...charts };

/** The value of an expression over the tables of the page. */
function evaluate(expression: string): unknown {
  const run = new Function(...Object.keys(NAMES), `${tables}\nreturn ${expression}`);
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
const RAIN = [
  '2024-01-30T00:00:00.000Z 4',
  '2024-01-31T00:00:00.000Z ',
  '2024-02-01T00:00:00.000Z 6',
  '2024-02-29T00:00:00.000Z 2',
];
/** The rows with another cell behind each, or in the place of the yield; the cells are divided by commas. */
const withLast = (cells: string, rows = ROWS) => rows.map((row, at) => `${row} ${cells.split(',')[at]}`);
const withYields = (cells: string) =>
  withLast(
    cells,
    ROWS.map((row) => row.replace(/ [^ ]*$/, '')),
  );

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
  'df.head(2)': [NORTH_2020, NORTH_2021],
  'df.iloc[1:3]': [NORTH_2021, SOUTH_2020],
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
  "df['yield'].isna().sum()": 1,
  "df.plot.scatter(x='area', y='yield')": 'yield by area: scatter of 3 rows.',
  "df[df['area'] > 15]": [SOUTH_2020, SOUTH_2021],
  'df.query("crop == \'corn\' and year == 2021")': [NORTH_2021, SOUTH_2021],
  "df[df['crop'].isin(['rice', 'wheat'])]": [SOUTH_2020],
  "df.dropna(subset=['yield'])": [NORTH_2020, SOUTH_2020, SOUTH_2021],
  "df.drop_duplicates('farm')": [NORTH_2020, SOUTH_2020],
  "df[['farm', 'yield']]": ['North 9.5', 'North ', 'South 6.1', 'South 10.2'],
  "df.drop(columns=['crop', 'area'])": ['North 2020 9.5', 'North 2021 ', 'South 2020 6.1', 'South 2021 10.2'],
  "df.rename(columns={'yield': 't_ha'})": ROWS,
  "df.assign(total=df['area'] * df['yield'])": withLast('95,,122,183.6'),
  "df.assign(upper=df['farm'].str.upper())": withLast('NORTH,NORTH,SOUTH,SOUTH'),
  "df.assign(large=df['area'].where(df['area'] > 15))": withLast(',,20,18'),
  "df.assign(known=df['yield'].notna())": withLast('true,false,true,true'),
  "df.sort_values(['crop', 'yield'], ascending=[True, False])": [
    SOUTH_2021,
    NORTH_2020,
    NORTH_2021,
    SOUTH_2020,
  ],
  "df.nlargest(1, 'yield')": [SOUTH_2021],
  "df.assign(area_bin=pd.cut(df['area'], [0, 12, 20], labels=['small', 'large']))":
    withLast('small,small,large,large'),
  "df.assign(half=pd.qcut(df['area'], 2, labels=['lower', 'upper']))": withLast('lower,lower,upper,upper'),
  'pd.concat([df, df])': [...ROWS, ...ROWS],
  "df.fillna({'yield': 0})": withYields('9.5,0,6.1,10.2'),
  "df.assign(**{'yield': df['yield'].ffill()})": withYields('9.5,9.5,6.1,10.2'),
  "df.assign(**{'yield': df['yield'].interpolate()})": withYields('9.5,7.8,6.1,10.2'),
  "df.assign(**{'yield': df.groupby('crop')['yield'].bfill()})": withYields('9.5,10.2,6.1,10.2'),
  "rain.set_index('day').interpolate('time').reset_index()": [RAIN[0], `${RAIN[1]}5`, ...RAIN.slice(2)],
  "df.merge(owners, left_on='farm', right_on='name').drop(columns='name')": withLast('Iowa,Iowa,,').slice(
    0,
    2,
  ),
  "df.merge(owners, left_on='farm', right_on='name', how='left').drop(columns='name')":
    withLast('Iowa,Iowa,,'),
  "df.merge(owners.rename(columns={'name': 'farm'}), how='outer')": [
    ...withLast('Iowa,Iowa,,'),
    'West     Ohio',
  ],
  "df[df['farm'].isin(owners['name'])]": [NORTH_2020, NORTH_2021],
  "df[~df['farm'].isin(owners['name'])]": [SOUTH_2020, SOUTH_2021],
  "df.groupby('crop')['area'].sum()": ['corn 40', 'wheat 20'],
  "df.groupby(['farm', 'crop']).size()": ['North corn 2', 'South corn 1', 'South wheat 1'],
  "df.groupby('crop').agg(n=('yield', 'count'), mean=('yield', 'mean'), best=('yield', 'max'))": [
    'corn 2 9.85 10.2',
    'wheat 1 6.1 6.1',
  ],
  "df.groupby('farm')['area'].agg(['min', 'median', 'std', 'var'])": [
    'North 10 11 1.414213562 2',
    'South 18 19 1.414213562 2',
  ],
  "df.groupby('farm')['area'].agg(lambda area: area.max() - area.min())": ['North 2', 'South 2'],
  "df.dropna().groupby('crop').apply(lambda g: np.average(g['yield'], weights=g['area']))": [
    'corn 9.95',
    'wheat 6.1',
  ],
  "rain.groupby(rain['day'].dt.month)['mm'].sum()": ['1 4', '2 8'],
  "df.assign(mean=df.groupby('farm')['area'].transform('mean'))": withLast('11,11,19,19'),
  "df.pivot(index='farm', columns='year', values='area')": ['North 10 12', 'South 20 18'],
  "df.pivot_table(index='farm', columns='crop', values='yield')": ['North 9.5 ', 'South 10.2 6.1'],
  "df.melt(id_vars=['farm', 'year'], value_vars=['area', 'yield']).sort_values(['farm', 'year'])": [
    'North 2020 area 10',
    'North 2020 yield 9.5',
    'North 2021 area 12',
    'North 2021 yield ',
    'South 2020 area 20',
    'South 2020 yield 6.1',
    'South 2021 area 18',
    'South 2021 yield 10.2',
  ],
  "df.groupby('farm')['area'].shift(1)": withLast(',10,,20'),
  "df['crop'].shift(-1)": withLast('corn,wheat,corn,'),
  "df.groupby('farm')['area'].diff()": withLast(' ,10 2, ,20 -2'),
  "df['area'].cumsum()": withLast('10,22,42,60'),
  "df['area'].expanding().std()": withLast(',1.414213562,5.291502622,4.760952286'),
  "df['area'].rolling(2, min_periods=1).mean()": withLast('10,11,16,19'),
  "df['area'].rolling(2).sum()": withLast(',22,32,38'),
  "rain.rolling('2D', on='day')['mm'].sum()": withLast('4,4,6,2', RAIN),
  "df.groupby('farm')['area'].rank(method='min')": withLast('1,2,2,1'),
  "df['year'].rank(method='dense', ascending=False)": withLast('2,1,2,1'),
  "df['area'].quantile(0.9)": ['19.4'],
  "df['area'].corr(df['yield'])": ['-0.525627745'],
};

/** A table row by row, numbers with nine decimals. */
function shown(value: unknown): unknown {
  const text = (cell: unknown) => (typeof cell === 'number' ? Math.round(cell * 1e9) / 1e9 : cell);
  if (value instanceof cropframe.Frame)
    return exactRows(value).map((row) => value.schema.fields.map(({ name }) => text(row[name])).join(' '));
  if (value instanceof Chart) return value.spec.description;
  return ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value;
}

it.each(IDIOMS)('%s', (idiom, expression) => {
  expect(shown(evaluate(expression))).toEqual(ANSWERS[idiom]);
});
