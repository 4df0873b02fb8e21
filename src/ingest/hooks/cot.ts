import { dayPeriod } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { RowError } from '../batch/batch-builder.js';
import type { Hook } from '../document/hook.js';
import { matchesDateFormat, parseFormattedDate } from '../reading/dates.js';

/** Patterns for the names of the CFTC's legacy report files and their archives, with the kind of positions. */
const NAMED = [
  [/(^|\/)(deahistfo\d|annualof\.|com\d\d_\d\d\.)/i, 'combined'],
  [/(^|\/)(deacot\d|annual\.|fut\d\d_\d\d\.)/i, 'futures'],
] as const;
/** Matches columns of the supplemental report, which covers only futures and options combined. */
const SUPPLEMENTAL = /^cit_|_nocit$/i;
/** Matches the column for the kind of positions. Only the legacy report's yearly files do not have this column. */
const STATED = /^futonly_or_combined$/i;

/**
 * Determines whether positions are in futures only, or in futures and options combined. The kind becomes the field
 * `stated`. Files of both kinds have the same columns, so the kind is taken from the rows, from the names of the
 * archive and its text file, or from the setting.
 * @throws IngestError if neither rows, names nor the setting state the kind, or if names and setting disagree
 */
const cotPositions: Hook = {
  takes: ['stated'],
  answers: [],
  fields({ file, header }, { positions: setting }) {
    if (header.some((name) => STATED.test(name))) return {};
    const named = new Set<string>(NAMED.filter(([name]) => name.test(file)).map(([, kind]) => kind));
    if (header.some((name) => SUPPLEMENTAL.test(name))) named.add('combined');
    if (setting !== undefined) named.add(setting);
    const [stated, other] = named;
    if (stated !== undefined && other === undefined) return { stated };
    const what =
      stated === undefined
        ? 'its name does not say whether its positions include options; specify the setting "positions": futures or combined'
        : 'its name and the setting "positions" contradict each other';
    throw new IngestError('cot', `the positions of ${file} are unclear: ${what}`, { file });
  },
  prepare:
    async ({ settings: { positions: setting } }) =>
    ({ stated = '' }) => {
      const isOther =
        setting !== undefined && (stated.toLowerCase() === 'combined') !== (setting === 'combined');
      if (isOther) throw new RowError(`the row is "${stated}", but the setting "positions" is "${setting}"`);
      return {};
    },
};

/** The formats of the day in files of any year. A time of day may follow. */
const DAY_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'YYYYMMDD', 'YYYY Mon DD'];

/**
 * Parses the day of the positions. Most files state it in two formats, which must agree. The short one (`YYMMDD`) may
 * have lost its leading zeros in a spreadsheet.
 */
const cotDay: Hook = {
  takes: ['whole', 'short'],
  answers: ['start_date'],
  prepare:
    async () =>
    ({ whole: text = '', short: shortText = '' }) => {
      const short = shortText === '' ? null : parseFormattedDate(shortText.padStart(6, '0'), 'YYMMDD');
      const format = DAY_FORMATS.find((one) => matchesDateFormat(text, one));
      if (format === undefined && (text !== '' || short === null))
        throw new RowError(`the date "${text}" is not a date`);
      const day = format === undefined ? short! : parseFormattedDate(text, format);
      if (short !== null && day !== short)
        throw new RowError(`the dates "${shortText}" and "${text}" differ`);
      return dayPeriod(day);
    },
};

export const COT_HOOKS: Readonly<Record<string, Hook>> = {
  'cot-positions': cotPositions,
  'cot-day': cotDay,
};
