import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';

/**
 * Cuts the small files of this folder out of published ones; README.md says where those come from.
 *
 *     node --import tsx notebooks/data/extract.ts FOLDER
 *
 * FOLDER has `nass/`, `weather/` and `wasde/` with the published files.
 */
const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Name the folder of the published files.');
const target = import.meta.dirname;
mkdirSync(target, { recursive: true });

// Quick Stats: the rows of counties as the site exports them, areas and yields in one file.
const [acres, yields] = ['acres_harvested', 'yield'].map((name) =>
  readFileSync(join(source, 'nass', `qs_export_county_corn_${name}_2012_2021.csv`), 'utf8').split('\n'),
);
write('county-corn.csv.gz', [...acres!.filter(Boolean), ...yields!.slice(1).filter(Boolean)].join('\n'));

// Cooperative stations of Iowa, every day.
const stations = ['IA0200', 'IA1063', 'IA7708'].map((station) =>
  readFileSync(join(source, 'weather', `iem_coop_${station}_1990_2019.csv`), 'utf8')
    .trim()
    .split(/\r?\n/),
);
write('iowa-stations.csv.gz', [stations[0]![0], ...stations.flatMap((lines) => lines.slice(1))].join('\n'));

// WASDE's tables of corn, of the United States and of the world, as the XML of June 2026 has them.
const report = readFileSync(join(source, 'wasde', 'wasde0626_trimmed.xml'), 'utf8');
const corn = [12, 22, 23].map((page) => new RegExp(`<sr${page}>.*</sr${page}>`, 's').exec(report)![0]);
write(
  'wasde0626.xml.gz',
  `<?xml version="1.0" encoding="utf-8"?>\n<Report Name="wasde">${corn.join('')}</Report>`,
);

const database = await (await DuckDBInstance.create()).connect();
const rowsOf = async (sql: string) => (await database.runAndReadAll(sql)).getRows();

// WASDE's corn of the United States, each report from May 2010 to April 2016.
const balance = join(source, 'wasde', 'us_corn_balance.parquet');
const reports = await rowsOf(`
  SELECT release_id[7:16] AS released, marketing_year, year_status, CASE attribute
      WHEN 'production' THEN 'Production quantity' WHEN 'ending_stocks' THEN 'Ending stocks'
      ELSE 'Price' END AS metric, value, CASE attribute WHEN 'farm_price' THEN 'USD/bu (corn)' ELSE 'million bu (corn)' END AS unit
  FROM '${balance}'
  WHERE commodity = 'corn' AND attribute IN ('production', 'ending_stocks', 'farm_price') AND value IS NOT NULL
    AND report_month BETWEEN '2010-05-01' AND '2016-04-01' AND marketing_year BETWEEN '2010/11' AND '2014/15'
    AND (year_status <> 'projection' OR forecast_month = strftime(report_month, '%b')
      OR forecast_month = strftime(report_month, '%B'))
  ORDER BY marketing_year, metric, released`);
write(
  'wasde-corn.csv',
  [
    'released,marketing_year,starts,ends,metric,value,unit',
    ...reports.map((row) => line(row as string[])),
  ].join('\n'),
);

// Iowa's corn: the state's figures until 2011, and the sums of its counties from 2012 on.
const states = await rowsOf(`
  SELECT year, acres, yield FROM read_csv('${join(source, 'nass', 'agridat_nass.corn.tsv')}', delim = '\t')
  WHERE state = 'Iowa' AND year >= 1990
  UNION ALL
  SELECT Year, sum(acres)::INT, round(sum(acres * yield) / sum(acres), 1) FROM (
    SELECT Year, "Ag District Code", County,
      any_value(amount) FILTER ("Data Item" LIKE '%ACRES%') AS acres,
      any_value(amount) FILTER ("Data Item" LIKE '%YIELD%') AS yield
    FROM (SELECT *, replace(Value, ',', '')::DOUBLE AS amount
      FROM read_csv('${join(target, 'county-corn.csv.gz')}', all_varchar = true) WHERE State = 'IOWA' AND Year < '2020')
    GROUP BY ALL) GROUP BY Year
  ORDER BY year`);
write('iowa-corn.csv', ['year,acres,yield', ...states.map((row) => row.join(','))].join('\n'));

function line([released, year, , metric, value, unit]: readonly string[]): string {
  const starts = Number(year!.slice(0, 4));
  return [released, year, `${starts}-09-01`, `${starts + 1}-08-31`, metric, value, unit].join(',');
}

function write(name: string, text: string): void {
  const bytes = Buffer.from(`${text}\n`);
  writeFileSync(join(target, name), name.endsWith('.gz') ? gzipSync(bytes, { level: 9 }) : bytes);
  console.log(`${name}: ${text.split('\n').length} lines`);
}
