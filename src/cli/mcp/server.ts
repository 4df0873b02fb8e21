import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { VERSION } from '../../contract/wire-names.js';
import type { Client } from '../../create-client.js';
import { ArgumentError } from '../../model/errors.js';
import { runUnderSignals } from '../../model/linked-abort.js';
import { parse } from '../../model/schema/check.js';
import { jsonSchema } from '../../model/schema/json-schema.js';
import { oneOf } from '../../model/schema/schemas.js';
import { failureMessage } from '../terminal/exit-codes.js';
import { formatAlignedTable } from '../terminal/text-table.js';
import { type Answer, type CommandLine, formatFigure, type Tool, type ToolCall } from './tool.js';
import { CHART } from './tools/chart.js';
import { CROP_WEIGHTS } from './tools/crop-weights.js';
import { DEGREE_DAYS } from './tools/degree-days.js';
import { FIND_SERIES } from './tools/find-series.js';
import { GET_POINTS } from './tools/get-points.js';
import { SEARCH } from './tools/search.js';

const TOOLS: readonly Tool[] = [SEARCH, FIND_SERIES, GET_POINTS, DEGREE_DAYS, CROP_WEIGHTS, CHART];

const INSTRUCTIONS =
  'Agricultural time series. Look up names with search, choose a series with find_series, then use its key. State the units, sources and notes with every figure, and include the command so that people can check it.';

export interface ServerParts {
  readonly newClient: () => Client;
  readonly commandLine: CommandLine;
  readonly signal: AbortSignal;
}

/** Creates an MCP server with all tools. Every tool is read-only. */
export function createMcpServer(
  sdk: Pick<Sdk, 'Server' | 'ListToolsRequestSchema' | 'CallToolRequestSchema'>,
  parts: ServerParts,
): Server {
  const { Server, ListToolsRequestSchema, CallToolRequestSchema } = sdk;
  const server = new Server(
    { name: 'cropframe', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal: request }) =>
    runUnderSignals([request, parts.signal], ({ signal }) =>
      callTool(params, { ...parts, client: parts.newClient(), signal }).then(resultOf, formatFailure),
    ),
  );
  return server;
}

function describeTool({ name, title, description, input }: Tool) {
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  const inputSchema = jsonSchema(input, 'input') as { type: 'object' };
  return { name, title, description, inputSchema, annotations };
}

/** Calls a tool. @throws ArgumentError if the tool does not exist or the arguments do not match its schema */
async function callTool(
  params: { readonly name: string; readonly arguments?: object | undefined },
  call: ToolCall,
): Promise<Answer> {
  const name = parse(oneOf(TOOLS.map((tool) => tool.name)), params.name, 'tool');
  const tool = TOOLS.find((one) => one.name === name)!;
  return tool.run(parseInput(tool, params.arguments ?? {}), call);
}

/** Parses a tool's input. Errors keep their message, which already uses the tool's argument names. */
function parseInput({ input }: Tool, given: object): unknown {
  try {
    return parse(input, given, '');
  } catch (cause) {
    if (!(cause instanceof ArgumentError)) throw cause;
    throw new ArgumentError(cause.argument, cause.message, { cause });
  }
}

function resultOf(answer: Answer) {
  const { structured, image } = answer;
  return {
    content: [
      { type: 'text' as const, text: answerText(answer) },
      ...(image === undefined ? [] : [{ type: 'image' as const, ...image }]),
    ],
    structuredContent: structured,
  };
}

/** Formats a tool's result as text: heading, table, notes, sources, and the command that reproduces the result. */
function answerText({ heading, table: [list, ...columns], structured, more }: Answer): string {
  const { sources: cited = [], notes, command } = structured;
  const rows = structured[list] as readonly Readonly<Record<string, unknown>>[];
  const cellOf = (value: unknown) => (typeof value === 'number' ? formatFigure(value) : String(value ?? ''));
  const shown = columns.map((title) => ({ title, of: (row: (typeof rows)[0]) => cellOf(row[title]) }));
  const table = rows.length === 0 ? [] : [formatAlignedTable(rows, shown).trimEnd()];
  const sources = cited.map(
    ({ name, long_name, licence, citation }) =>
      `Source: ${name} (${long_name}). Licence: ${licence || 'not stated'}. Cite as: ${citation || long_name}`,
  );
  const parts = [heading, ...table, ...notes.map((note) => `Note: ${note}`), ...sources];
  return [...parts, `Repeat: ${command}`, ...(more === undefined ? [] : [more])].join('\n\n');
}

/** Tool argument names that differ from the names of the client's parameters, keyed by parameter. */
const ARGUMENTS: ReadonlyMap<string, string> = new Map([
  ['start_date', 'start'],
  ['end_date', 'end'],
  ['unit_id', 'unit'],
  ['region_name', 'regions'],
  ['base_temperature', 'base'],
  ['upper_temperature_cap', 'cap'],
  ['temperature_unit', 'unit'],
  ['min_temporal_coverage', 'coverage'],
]);

/** Formats an error as a tool's result, with its message and remedy but without a stack trace. */
function formatFailure(error: unknown) {
  const text = failureMessage(error, ARGUMENTS) ?? 'the output is closed';
  return { content: [{ type: 'text' as const, text }], isError: true };
}

export type Sdk = Awaited<ReturnType<typeof importSdk>>;

/** Loads the MCP SDK, an optional peer dependency. @throws ArgumentError if it is not installed */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await importSdk();
  } catch (cause) {
    if (!isAbsent(cause)) throw cause;
    throw new ArgumentError('mcp', NOT_INSTALLED, { cause });
  }
}

async function importSdk() {
  const [{ Server }, types, { StdioServerTransport }, { WebStandardStreamableHTTPServerTransport }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/types.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ]);
  const { ListToolsRequestSchema, CallToolRequestSchema } = types;
  return {
    Server,
    ListToolsRequestSchema,
    CallToolRequestSchema,
    StdioServerTransport,
    WebStandardStreamableHTTPServerTransport,
  };
}

function isAbsent(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes('@modelcontextprotocol/sdk');
}

const NOT_INSTALLED =
  'mcp needs the package @modelcontextprotocol/sdk, which is not installed; run "npm install @modelcontextprotocol/sdk" where cropframe is installed (with -g, if cropframe is)';
