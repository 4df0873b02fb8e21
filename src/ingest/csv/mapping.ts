import type { ConversionFactor, Frequency, REGION_LEVELS } from '../../model/entity.js';
import type { NumberFormat } from './numbers.js';

/**
 * The origin of a name: a column, or one name for all rows. `names` has a name for each text of the column that is read;
 * rows with other texts are not.
 */
export type NameFrom =
  | { readonly column: string; readonly names?: ReadonlyMap<string, string> | undefined }
  | { readonly name: string };

/**
 * The origin of a region's name, which can be restricted to one level, and to what another name contains; or of its code: FIPS
 * of US states and counties.
 */
export type RegionFrom = NameFrom & {
  /** The name of what contains the region: the state of a county. */
  readonly within?: NameFrom | undefined;
  readonly level?: keyof typeof REGION_LEVELS | undefined;
  readonly code?: 'fips' | undefined;
};

export const MAX_LATITUDE = 90;
export const MAX_LONGITUDE = 180;

/** The origin of a coordinate: a column, or degrees for all rows. */
export type DegreesFrom = { readonly column: string } | { readonly degrees: number };

/** The origin of a place that the table or the mapping describes: identifier, coordinates and, if any, name. */
export interface StationFrom {
  readonly station: NameFrom;
  readonly latitude: DegreesFrom;
  readonly longitude: DegreesFrom;
  readonly name: NameFrom | null;
}

/** For a name without an exact match, whether its rows are rejected or the nearest match is used; both add a note. */
export const NAME_RULES = ['exact', 'nearest'] as const;
export type NameRule = (typeof NAME_RULES)[number];

/** Formats of dates. */
export const DATE_FORMATS = [
  'YYYY',
  'YYYY-MM',
  'YYYY-MM-DD',
  'YYYYMMDD',
  'MM/DD/YYYY',
  'DD/MM/YYYY',
  'DD.MM.YYYY',
  'YYYYQn',
  'YYYYMnn',
  'YYYYWnn',
  'spreadsheet',
  'spreadsheet-1904',
] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];

export interface DateFrom {
  readonly column: string;
  readonly format: DateFormat;
}

/** Each column whose name is a date of this format holds the values of that date. */
export interface HeaderDates {
  readonly header: DateFormat;
}

/** The dates that an available date can be equal to. */
export const EQUAL_DATES = ['reporting_date', 'end_date'] as const;

/** The available date of each row is its reporting date, or the last day of its period. */
export interface EqualDate {
  readonly equal_to: (typeof EQUAL_DATES)[number];
}

/** A column of values; with `HeaderDates`, each of those columns. */
export interface ValueColumn {
  readonly column: string;
  readonly metric: NameFrom;
  readonly item: NameFrom;
  readonly unit: NameFrom;
}

/** Rows are read when the column has one of the values; or, with `keep` false, when it has none of them. */
export interface RowFilter {
  readonly column: string;
  readonly values: ReadonlySet<string>;
  readonly keep: boolean;
}

/** An item, metric or region that a mapping defines under its source. */
export interface NamedDefinition {
  readonly name: string;
  /** Null for a text made from the source's name. */
  readonly definition: string | null;
  readonly aliases: readonly string[];
  /** The name of what contains it, of the same type; null where nothing does. */
  readonly within: string | null;
}

export interface RegionDefinition extends NamedDefinition {
  readonly level: keyof typeof REGION_LEVELS;
  /** Degrees; null where they are unknown, and likewise the longitude. */
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface UnitDefinition {
  readonly name: string;
  readonly namePlural: string;
  readonly abbreviation: string;
  /** Undefined where it is not stated; then there is no factor either. */
  readonly dimension: string | undefined;
  readonly baseConvFactor: ConversionFactor;
}

/** What a mapping defines, because the vocabulary does not have it. */
export interface Definitions {
  readonly metrics: readonly NamedDefinition[];
  readonly items: readonly NamedDefinition[];
  readonly regions: readonly RegionDefinition[];
  readonly units: readonly UnitDefinition[];
}

/** How the columns of a table are read. */
export interface Mapping {
  readonly delimiter: string;
  /** What the names of files in a zip archive contain that are read; null for all. */
  readonly entry: string | null;
  /** The sheet of a workbook; null for the only one that is not empty. */
  readonly sheet: string | null;
  /** The line of the header, counted from 1; those before it are not read. */
  readonly header_line: number;
  readonly source: {
    readonly name: string;
    readonly longName: string;
    readonly licence: string;
    readonly citation: string;
    readonly url: string;
  };
  readonly definitions: Definitions;
  readonly filters: readonly RowFilter[];
  readonly region: RegionFrom | StationFrom;
  readonly partner_region: RegionFrom | null;
  readonly values: readonly ValueColumn[];
  /** The column of a remark on each value, `after_value` where it follows the value in its cell, or null. */
  readonly flag: { readonly column: string } | 'after_value' | null;
  readonly start_date: DateFrom | HeaderDates;
  /** Null: the end follows from the frequency. */
  readonly end_date: DateFrom | null;
  readonly reporting_date: DateFrom | null;
  /** Null: the time of the import. */
  readonly available_date: DateFrom | EqualDate | null;
  readonly frequency: Frequency;
  /** First month of annual periods: 9 for marketing years of corn. Null: they begin on their dates. */
  readonly first_month: number | null;
  readonly numbers: NumberFormat;
  /** Texts that are read as null. */
  readonly missing: readonly string[];
  /** Texts that are not a point, like an empty field. */
  readonly empty: readonly string[];
  readonly names: NameRule;
}
