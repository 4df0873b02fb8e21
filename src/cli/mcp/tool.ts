import { Option } from 'commander';
import * as v from 'valibot';
import type { ObjectSchema } from '../../contract/addresses.js';
import type { Source, Unit } from '../../model/entity.js';
import { FIELDS } from '../../model/schema/fields.js';
import { TEXT, withMeaning } from '../../model/schema/schemas.js';
import type { Asking } from '../connection/with-client.js';
import type { ConnectionOptions } from '../options/flag-groups.js';
import type { DeclaredCommand, Inputs, InputValues } from '../options/flags.js';

/** The context of a tool call. Each call has its own client, because a client keeps the series added to it. */
export interface ToolCall extends Asking {
  /** Formats a command and its options as a command line, including this server's store or host. */
  readonly commandLine: CommandLine;
}

export type CommandLine = <Takes extends Inputs>(
  command: Pick<DeclaredCommand<Takes>, 'name' | 'takes'>,
  values: Partial<InputValues<Takes>>,
) => string;

/** A tool's result: structured data for programs, and text for people and language models. */
export interface Answer {
  readonly structured: Readonly<Record<string, unknown>> & Credits;
  readonly heading: string;
  /** The list in `structured` that the text shows as a table, followed by the fields to use as columns. */
  readonly table: readonly [list: string, ...columns: string[]];
  readonly more?: string | undefined;
  readonly image?: { readonly mimeType: string; readonly data: string } | undefined;
}

interface Credits {
  readonly sources?: ReturnType<typeof sourceCredits> | undefined;
  readonly notes: readonly string[];
  readonly command: string;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: ObjectSchema;
  run(args: unknown, call: ToolCall): Promise<Answer>;
}

/** Defines a tool. Its `run` function receives the input as parsed by the schema. */
export function defineTool<Input extends ObjectSchema>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    run(args: v.InferOutput<Input>, call: ToolCall): Promise<Answer>;
  },
): Tool {
  return tool as unknown as Tool;
}

export const regionNames = (max: number) =>
  withMeaning('regions by name', v.pipe(v.array(TEXT), v.minLength(1), v.maxLength(max)));

export const SERIES_INPUT = {
  metric: v.optional(FIELDS.metric),
  item: v.optional(FIELDS.item),
  region: v.optional(FIELDS.region),
  partner_region: v.optional(FIELDS.partner_region),
  source: v.optional(FIELDS.source),
  frequency: v.optional(FIELDS.frequency),
};

export const RETRIEVAL_INPUT = {
  start: v.optional(FIELDS.start_date),
  end: v.optional(FIELDS.end_date),
  at_time: v.optional(FIELDS.at_time),
};

export const SERIES_KEY = withMeaning('key of a series, as find_series returns it', v.string());

/** Returns a function that formats commands for a POSIX shell, with this server's store or host but without a token. */
export function createCommandFormatter({ store, host }: ConnectionOptions): CommandLine {
  const connection = store === undefined ? { host } : { store };
  return ({ name, takes }, options) => {
    const words: string[] = [];
    const flags = Object.entries({ ...connection, ...options }).flatMap(([option, value]) => {
      const one = takes[option];
      const values = [value]
        .flat()
        .flatMap((each) => (each === undefined || each === null ? [] : [String(each)]));
      if (one instanceof Option) return values.flatMap((each) => [one.long!, each]);
      words.push(...values);
      return [];
    });
    return ['cropframe', name, ...flags, ...(words.length === 0 ? [] : ['--', ...words])]
      .map(quoteWord)
      .join(' ');
  };
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Looks up the sources that a result must cite. */
export async function lookUpSources(
  { client, signal }: ToolCall,
  ids: readonly number[],
): Promise<ReturnType<typeof sourceCredits>> {
  const unique = [...new Set(ids)];
  const found = await client.lookup('sources', unique, { signal });
  return sourceCredits(unique.flatMap((id) => found[id] ?? []));
}

export function sourceCredits(sources: readonly Source[]) {
  return sources.map(({ id, name, longName, licence, citation, url }) => ({
    id,
    name,
    long_name: longName,
    licence,
    citation,
    url,
  }));
}

export function unitCredits(units: readonly Unit[]): Pick<Unit, 'id' | 'name' | 'abbreviation'>[] {
  return units.map(({ id, name, abbreviation }) => ({ id, name, abbreviation }));
}

/** Formats a number with at most ten significant digits, which hides rounding errors. */
export function formatFigure(value: number | null): string {
  return value === null ? '' : String(Number(value.toPrecision(10)));
}

export function formatShare(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
