import { createWriteStream, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { loadRegionTree } from '../src/ingest/regions/tree.js';

/** A large file of a public format, written for a benchmark; `close` removes it. */
export interface BenchFile {
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  readonly close: () => void;
}

async function written(name: string, lines: Iterable<string>): Promise<BenchFile> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-bench-'));
  const path = join(folder, name);
  const stream = createWriteStream(path);
  let rows = 0;
  let block: string[] = [];
  for (const line of lines) {
    block.push(line);
    rows++;
    if (block.length < 20_000) continue;
    stream.write(`${block.join('\n')}\n`);
    block = [];
    await new Promise((resolve) => setImmediate(resolve));
  }
  stream.end(block.length > 0 ? `${block.join('\n')}\n` : '');
  await finished(stream);
  return { path, rows, bytes: statSync(path).size, close: () => rmSync(folder, { recursive: true }) };
}

const CENSUS_COUNTY_ROW = 7;

/** Years of four digits: 12.6 million rows of two crops, before the next two follow. */
const MAX_YEARS = 1000;
const CROPS = [
  ['CORN, GRAIN', 'SOYBEANS'],
  ['BARLEY', 'OATS'],
  ['WHEAT', 'RYE'],
] as const;

/** Quick Stats' bulk form: one row of the fixture, told for every county and year, of two measures of each crop. */
export async function quickStatsFile(wantedRows: number): Promise<BenchFile> {
  const { regions } = await loadRegionTree();
  const counties = regions.map(({ id }) => id - 100_000).filter((fips) => fips > 1000 && fips < 57_000);
  const [header, ...rows] = readFileSync('test/fixtures/nass/quick-stats.tsv', 'utf8').split('\n');
  const columns = header!.split('\t');
  const template = rows[CENSUS_COUNTY_ROW - 1]!.split('\t');
  const at = (name: string): number => columns.indexOf(name);
  const places = ['STATE_FIPS_CODE', 'COUNTY_CODE', 'YEAR', 'VALUE', 'SHORT_DESC', 'UNIT_DESC'].map(at);
  const measures = CROPS.map((crops) =>
    crops.flatMap((crop) => [
      [`${crop} - ACRES HARVESTED`, 'ACRES'] as const,
      [`${crop} - PRODUCTION, MEASURED IN BU`, 'BU'] as const,
    ]),
  );
  function* lines(): Generator<string> {
    yield header!;
    for (let row = 0; row < wantedRows; row++) {
      const county = counties[row % counties.length]!;
      const told = Math.floor(row / counties.length);
      const years = Math.floor(told / 4);
      const [measure, unit] = measures[Math.floor(years / MAX_YEARS)]![told % 4]!;
      const year = 2020 - (years % MAX_YEARS);
      const fields = [...template];
      const texts = [
        String(Math.floor(county / 1000)).padStart(2, '0'),
        String(county % 1000).padStart(3, '0'),
        String(year),
        ((row * 7919) % 250_000).toLocaleString('en-US'),
        measure,
        unit,
      ];
      places.forEach((place, i) => {
        fields[place] = texts[i]!;
      });
      yield fields.join('\t');
    }
  }
  return written('qs.crops.txt', lines());
}

/** GHCN-Daily's form by year: maximum, minimum and rain of stations day after day. */
export async function ghcnByYearFile(wantedRows: number): Promise<BenchFile> {
  const elements = ['TMAX', 'TMIN', 'PRCP'];
  function* lines(): Generator<string> {
    const stations = Math.ceil(wantedRows / 365 / elements.length);
    for (let row = 0; row < wantedRows; row++) {
      const element = elements[row % 3]!;
      const station = `USC${String(Math.floor(row / 3) % stations).padStart(8, '0')}`;
      const day = Math.floor(row / 3 / stations);
      const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '');
      const value = ((row * 7919) % 400) - (element === 'PRCP' ? 0 : 100);
      yield `${station},${date},${element},${value},,,7,0700`;
    }
  }
  return written('2020.csv', lines());
}

/** A table of one's own, for a document: production of corn by county and month. */
export async function mappedFile(wantedRows: number): Promise<BenchFile> {
  const { regions } = await loadRegionTree();
  const counties = regions.filter(({ id }) => id > 101_000 && id < 157_000);
  function* lines(): Generator<string> {
    yield 'county,month,tonnes';
    for (let row = 0; row < wantedRows; row++) {
      const county = counties[Math.floor(row / MONTHS) % counties.length]!;
      const month = row % MONTHS;
      const [year, number] = [1990 + Math.floor(month / 12), String((month % 12) + 1).padStart(2, '0')];
      yield `"${county.name}",${year}-${number},${((row * 7919) % 100_000) / 100}`;
    }
  }
  return written('production.csv', lines());
}

/** Thirty years. */
const MONTHS = 360;
