import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { type Check, shownBy, shownRows } from '../executed.js';

/** Counts and trade by regular expressions from the published XML, and tonnes by the weight of a bushel. */
export const checkExplore: Check = (executed) => {
  const path = join(executed.folder, 'data', 'wasde0626.xml.gz');
  const xml = gunzipSync(readFileSync(path)).toString();
  const account = shownRows(executed, 'import').map(({ count }) => Number(count));
  expect(account[0]).toBe(xml.match(/cell_value\d+="[^"]+"/g)!.length);
  expect(account.slice(1).reduce((sum, count) => sum + count)).toBe(account[0]);

  const page = /2026\/27 Proj\..*$/s.exec(/<sr23>.*<\/sr23>/s.exec(xml)![0])![0];
  const ofCountry = (region: string, attribute: string) => {
    const country = page.slice(page.search(new RegExp(`region\\d="\\s*${region}`)));
    const june = country.slice(country.indexOf('="Jun"'));
    return Number(
      new RegExp(`="${attribute}"><FormatFiller\\d+><Cell cell_value\\d+="([^"]+)"`).exec(june)![1],
    );
  };
  const trade = shownRows(executed, 'trade');
  expect(trade).toHaveLength(13);
  for (const row of trade.slice(1)) {
    const [sold, bought] = ['Exports', 'Imports'].map((name) => ofCountry(row.region!, name));
    expect([row['exports, Mt'], row['imports, Mt']]).toEqual([String(sold), String(bought)]);
  }
  // 3,150 and 25 million bushels of 56 pounds.
  const bushel = (56 * 0.45359237) / 1000;
  const [sold, bought] = ['exports, Mt', 'imports, Mt'].map((name) => Number(trade[0]![name]));
  expect(sold).toBeCloseTo(3150 * bushel, 4);
  expect(bought).toBeCloseTo(25 * bushel, 6);
  expect(shownBy(executed, 'places')).toContain('King County, Washington → Washington → United States');
};
