import * as v from 'valibot';
import type { Source } from '../../model/entity.js';
import type { KnownKeys, OptionsOf } from '../../model/schema/check.js';
import type { Asking } from '../connection/with-client.js';
import type { DeclaredCommand, Inputs, InputValues } from '../options/flags.js';

/** The context of a tool call. Each call has its own client, because a client keeps the series added to it. */
export interface ToolCall extends Asking {
  /** Formats a command and its options as a command line, including this server's store or host. */
  readonly commandLine: CommandLine;
}

export type CommandLine = <Takes extends Inputs>(
  command: Pick<DeclaredCommand<Takes>, 'name' | 'takes'>,
  values: { readonly [Name in keyof InputValues<Takes>]?: InputValues<Takes>[Name] | undefined },
) => string;

/** A tool's result: structured data for programs, and text for people and language models. */
export interface Answer {
  readonly structured: {
    readonly sources?: readonly Source[] | undefined;
    readonly notes: readonly string[];
    readonly command: string;
    readonly [field: string]: unknown;
  };
  readonly heading: string;
  /** The name of the list in `structured` that the text shows as a table, followed by the fields used as columns. */
  readonly table: readonly [list: string, ...columns: string[]];
  readonly more?: string | undefined;
  readonly image?: { readonly mimeType: string; readonly data: string } | undefined;
}

/** An MCP tool. Its arguments have the same names as the client's options, because the client's errors mention them. */
export interface Tool<Takes extends KnownKeys = KnownKeys> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly takes: Takes;
  run(args: OptionsOf<Takes>, call: ToolCall): Promise<Answer>;
}

/** Defines a tool whose `run` function receives the arguments that `takes` describes. */
export function defineTool<Takes extends KnownKeys>(tool: Tool<Takes>): Tool {
  return tool as unknown as Tool;
}

export function listUpTo<Item extends v.GenericSchema>(max: number, item: Item) {
  return v.pipe(v.array(item), v.minLength(1), v.maxLength(max));
}

/** Looks up the sources that a result must cite. */
export async function lookUpSources({ client, signal }: ToolCall, ids: readonly number[]): Promise<Source[]> {
  const unique = [...new Set(ids)];
  const found = await client.lookup('sources', unique, { signal });
  return unique.flatMap((id) => found[id] ?? []);
}

/** Formats a number with at most ten significant digits, to hide rounding errors. */
export function formatFigure(value: number): string {
  return String(Number(value.toPrecision(10)));
}
