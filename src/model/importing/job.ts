import { type Check, checkFlag, checkThat, meant, needed, oneOf } from '../arguments/checks.js';
import { isPlainObject, type OptionKeys } from '../arguments/option-keys.js';
import { badArgument } from '../errors.js';
import type { Progress } from '../progress.js';

/** The systems of units of Climate Data Online; tenths are those of °C, mm and m/s. */
const STATION_UNITS = ['standard', 'metric', 'tenths'] as const;
/** A system of units of Climate Data Online. */
export type StationUnits = (typeof STATION_UNITS)[number];

/** The quantity that figures of the US Drought Monitor count. */
const DROUGHT_STATISTICS = ['area', 'area-percent', 'population', 'population-percent'] as const;
/** A statistic of the U.S. Drought Monitor. */
export type DroughtStatistic = (typeof DROUGHT_STATISTICS)[number];

/** Futures alone, or with options: the positions of the legacy Commitments of Traders. */
const REPORTED_POSITIONS = ['futures', 'combined'] as const;
/** Futures alone, or with options: the positions of the legacy Commitments of Traders. */
export type ReportedPositions = (typeof REPORTED_POSITIONS)[number];

/** Settings of importers; each importer reads those that concern it. */
export interface ImporterSettings {
  /** Weather: keep values that failed a quality check; by default they become null. */
  readonly keepFlagged?: boolean | undefined;
  /** Climate Data Online: the units of the file, where they cannot be detected. */
  readonly units?: StationUnits | undefined;
  /** US Drought Monitor: the quantity of the figures, if the file's name does not tell. */
  readonly statistic?: DroughtStatistic | undefined;
  /** Commitments of Traders, legacy report: the kind of positions, if the file's name does not tell. */
  readonly positions?: ReportedPositions | undefined;
  /** WASDE: the day of the report's release, `YYYY-MM-DD`, where it is not the one that the importer knows. */
  readonly released?: string | undefined;
}

/** The data sets that read each setting. */
const DATASETS_OF: Readonly<Record<keyof ImporterSettings, readonly string[]>> = {
  keepFlagged: ['ghcnd', 'cdo'],
  units: ['cdo'],
  statistic: ['usdm'],
  positions: ['cot'],
  released: ['wasde'],
};

/** @throws ArgumentError for a setting of another data set. `prefix` precedes the name of the setting in the message. */
export function checkSettings(
  dataset: DatasetAsked,
  settings: ImporterSettings = {},
  prefix = 'settings.',
): void {
  const asked = typeof dataset === 'string' ? dataset : 'a document';
  for (const [name, datasets] of Object.entries(DATASETS_OF))
    if (settings[name as keyof ImporterSettings] !== undefined && !datasets.includes(asked))
      throw badArgument(`${prefix}${name}`, `is for ${datasets.join(' and ')}; omit it for ${asked}`);
}

const setting = <Given extends Check>(name: keyof ImporterSettings, meaning: string, check: Given): Given =>
  meant(`${DATASETS_OF[name].join(' and ')}: ${meaning}`, check);

/**
 * The settings of importers, each with its check and its meaning: the importers and the client check by them, and the
 * service's schema and the command's options follow from them.
 */
export const IMPORTER_SETTINGS: OptionKeys<ImporterSettings> = {
  keepFlagged: setting('keepFlagged', 'keep values that failed a quality check', checkFlag),
  units: setting('units', 'units of a file that does not state them', oneOf(STATION_UNITS)),
  statistic: setting(
    'statistic',
    'the quantity of the figures, unless the name of the file says it',
    oneOf(DROUGHT_STATISTICS),
  ),
  positions: setting(
    'positions',
    'the kind of positions, unless the name of the file says it',
    oneOf(REPORTED_POSITIONS),
  ),
  released: setting(
    'released',
    'day of the release of a report, unless it is the usual one',
    checkThat(
      (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
      'a day, such as 2026-06-11',
    ),
  ),
};

/** A document that describes a data set, as parsed JSON. */
export type DatasetDocument = Readonly<Record<string, unknown>>;

/** A data set: its name, or its document. */
export type DatasetAsked = string | DatasetDocument;

/** Checks the data set of an import. */
export const checkDataset = needed<DatasetAsked>(
  checkThat(
    (value) => isPlainObject(value) || (typeof value === 'string' && value.trim() !== ''),
    'the name of a data set, or a document that describes one',
  ),
);

/** An import that a client asks for. */
export interface ImportAsked {
  /** The data set. */
  readonly dataset: DatasetAsked;
  /** Its files; those of a job are paths. */
  readonly files: readonly unknown[];
  /** Settings of the data set. */
  readonly settings?: ImporterSettings | undefined;
}

/** An import with its files on this machine. */
export interface ImportJob extends ImportAsked {
  /** Paths of the files. */
  readonly files: readonly string[];
  /** The import fails when more than this share of the rows is rejected (default 0.05). */
  readonly maxRejectedShare?: number | undefined;
  /** The import fails as soon as more rows than this are rejected; the share is then no limit. */
  readonly maxRejected?: number | undefined;
  /** The import fails when more rows than this contradict each other (default 0.1 % of all rows). */
  readonly maxConflicts?: number | undefined;
}

/** A row that is rejected, or contradicts another one. */
export interface RejectedLine {
  /** The file. */
  readonly file: string;
  /** Counted from 1, including the header. */
  readonly line: number;
  /** The reason for its rejection, or the row that it contradicts. */
  readonly reason: string;
  /** The row as it is in the file. */
  readonly text: string;
}

/** How a running import is watched. */
export interface ImportWatch {
  /** Aborting it rolls the import back. */
  readonly signal: AbortSignal;
  /** Called as it goes on. */
  onProgress(progress: Progress): void;
  /** Called with rows that are rejected or contradict each other. */
  onRejected(rows: readonly RejectedLine[]): void;
}
