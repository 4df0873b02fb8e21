import { dayPeriod } from '../../model/calendar.js';
import { IngestError } from '../../model/errors.js';
import { RowError } from '../batch/batch-builder.js';
import type { Hook } from '../document/hook.js';
import { matchesDateFormat, parseFormattedDate } from '../reading/dates.js';

/** Name patterns of the CFTC's legacy files and archives, each with the kind of positions in those files. */
const NAMED = [
  [/(^|\/)(deahistfo\d|annualof\.|com\d\d_\d\d\.)/i, 'combined'],
  [/(^|\/)(deacot\d|annual\.|fut\d\d_\d\d\.)/i, 'futures'],
] as const;
/** Matches columns that occur only in the supplemental report, which covers futures and options combined. */
const SUPPLEMENTAL = /^cit_|_nocit$/i;
/** Matches the column that states the kind of positions. Only legacy yearly files lack this column. */
const STATED = /^futonly_or_combined$/i;

/** Infers from the rows, file name or settings whether positions include options. @throws IngestError if unclear */
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
      if (isOther)
        throw new RowError(
          `the positions of the row are "${stated}", but the setting "positions" is "${setting}"; correct or omit the setting`,
        );
      return {};
    },
};

/** Date formats that occur in CFTC files. A date may be followed by a time of day. */
const DAY_FORMATS = ['YYYY-MM-DD', 'MM/DD/YYYY', 'YYYYMMDD', 'YYYY Mon DD'];

/** Parses a row's date, which most files state twice. A `YYMMDD` date may have lost leading zeros in a spreadsheet. */
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

export const COT_HOOKS: Readonly<Record<string, Hook>> = { 'cot-positions': cotPositions, 'cot-day': cotDay };
