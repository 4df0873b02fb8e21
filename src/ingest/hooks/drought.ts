import { REGION_LEVELS } from '../../model/entity.js';
import { IngestError } from '../../model/errors.js';
import { RowError } from '../batch/batch-builder.js';
import type { Hook, HookTable } from '../document/hook.js';
import { splitRecords } from '../reading/delimited.js';
import {
  countryRegionId,
  STATE_IDS_BY_ABBREVIATION,
  usCountyRegionId,
  usStateRegionId,
} from '../regions/ids.js';
import { otherRegion } from '../regions/names.js';
import { loadRegionTree } from '../regions/tree.js';
import areas from './drought-areas.json' with { type: 'json' };

/**
 * The values of `StatisticFormatID` for cumulative and for categorical statistics
 * (droughtmonitor.unl.edu/DmData/DataDownload/WebServiceInfo.aspx).
 */
const FORMATS = ['1', '2'];

/** Resolves a county by its FIPS code, which must match the state. Adds unknown counties, such as former ones. */
const droughtCounty: Hook = {
  takes: ['fips', 'county', 'state'],
  answers: ['region'],
  async prepare({ batch }) {
    const { byId } = await loadRegionTree();
    return ({ fips = '', county = '', state = '' }) => {
      const stateId = STATE_IDS_BY_ABBREVIATION.get(state);
      if (stateId === undefined) throw new RowError(`the state "${state}" is unknown`);
      if (!/^\d{4,5}$/.test(fips)) throw new RowError(`the FIPS code "${fips}" is not a five-digit number`);
      const code = Number(fips);
      if (usStateRegionId(Math.floor(code / 1000)) !== stateId)
        throw new RowError(`the FIPS code "${fips}" does not belong to the state "${state}"`);
      const id = usCountyRegionId(code);
      if (byId.has(id)) return { region_id: id };
      if (county === '') throw new RowError('the county has no name');
      const region = otherRegion({
        name: `${county}, ${byId.get(stateId)!.name}`,
        definition: `County or equivalent as the US Drought Monitor lists it; FIPS ${String(id).slice(1)}.`,
        belongsTo: [stateId],
      });
      batch.addEntity('regions', { ...region, id, level: REGION_LEVELS.district });
      return { region_id: id };
    };
  },
};

/** The areas in national statistics, keyed by `AreaOfInterest` in upper case. The area "total" includes Puerto Rico. */
const NATIONAL = new Map(Object.entries(areas));

/** Resolves areas other than counties. Areas that are not states become parts of the United States. */
const droughtArea: Hook = {
  takes: ['area_kind', 'code_kind', 'area', 'code'],
  answers: ['region'],
  prepare:
    async ({ batch }) =>
    ({ area_kind, code_kind = '', area: name, code = '' }) => {
      const [kind, area] = [area_kind || code_kind, name || code];
      if (area === '') throw new RowError(`the ${kind} is empty`);
      const isNational = kind.toLowerCase() === 'areaofinterest';
      const state = isNational ? STATE_IDS_BY_ABBREVIATION.get(area) : undefined;
      if (state !== undefined) return { region_id: state };
      const words = kind.replace(/([a-z])([A-Z])/g, '$1 $2');
      const named = (isNational ? NATIONAL.get(area.toUpperCase()) : undefined) ?? {
        name: `${area} (${[words, code].join(' ').trim()})`,
        definition: `Area of the US Drought Monitor: ${words} ${area}.`,
      };
      const region = otherRegion({ ...named, belongsTo: [countryRegionId(840)] });
      const identity = `usdm:${kind.toLowerCase()}:${code || area}`;
      return { region_id: batch.addNamedEntity('regions', identity, region) };
    },
};

/** The web service operation for each statistic. Files are often named after the operation. */
const STATISTICS: ReadonlyMap<string, RegExp> = new Map([
  ['area-percent', /ByAreaPercent/i],
  ['population-percent', /ByPopulationPercent/i],
  ['area', /ByArea/i],
  ['population', /ByPopulation/i],
]);

/** Determines a file's statistic from a setting or the file name, and checks the sums of values. @throws IngestError */
const droughtStatistic: Hook = {
  takes: [],
  answers: [],
  fields(table, { statistic: setting }) {
    const { file } = table;
    const unclear = (what: string) =>
      new IngestError('usdm', `the statistic of ${file} is unclear: ${what}`, { file });
    const [named] = [...STATISTICS].find(([, operation]) => operation.test(file)) ?? [];
    const quantity = setting ?? named;
    if (named !== undefined && quantity !== named)
      throw unclear(`its name says "${named}", but the setting "statistic" is "${setting}"`);
    if (quantity === undefined)
      throw unclear(
        'its name does not say which quantity it contains; specify the setting "statistic": area, area-percent, population or population-percent',
      );
    const totals = sampleTotals(table);
    const others = totals.filter((total) => Math.abs(total - 100) > MAX_ROUNDING);
    const areShares = 2 * others.length < totals.length;
    if (totals.length === 0 || areShares === quantity.endsWith('percent')) return { quantity };
    const found = areShares
      ? 'add up to 100, as percentages do'
      : `do not add up to 100, but for example to ${others[0]}`;
    throw unclear(`its figures ${found}, so they cannot be the statistic "${quantity}"`);
  },
};

/** The rounding tolerance for a sum of six numbers with two decimal places each. */
const MAX_ROUNDING = 0.05;
const CATEGORY = /^(none|d[0-4])$/i;

/** Sums the categories in each sampled row. In cumulative rows, only "none" and D0 count, as D0 includes D1 to D4. */
function sampleTotals({ sample, header }: HookTable): number[] {
  const columns = header.flatMap((name, at) => (CATEGORY.test(name) ? at : []));
  const format = header.findIndex((name) => name.toLowerCase() === 'statisticformatid');
  return [...splitRecords(sample, 1, { delimiter: ',', quotes: true })]
    .map((record) => record.fields.map((field) => field.replace(/["\s,]/g, '')))
    .filter((texts) => texts.length === header.length && FORMATS.includes(texts[format]!))
    .map((texts) => columns.slice(0, texts[format] === '1' ? 2 : 6).map((at) => texts[at]!))
    .filter((texts) => texts.every((text) => /^\d+(\.\d+)?$/.test(text)))
    .map((texts) => texts.reduce((sum, text) => sum + Number(text), 0));
}

export const DROUGHT_HOOKS: Readonly<Record<string, Hook>> = {
  'drought-statistic': droughtStatistic,
  'drought-county': droughtCounty,
  'drought-area': droughtArea,
};
