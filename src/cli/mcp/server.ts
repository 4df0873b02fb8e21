import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { Option } from 'commander';
import { VERSION } from '../../contract/wire-names.js';
import type { Client } from '../../create-client.js';
import { ArgumentError } from '../../model/errors.js';
import { runUnderSignals } from '../../model/linked-abort.js';
import { optionsOf, parse } from '../../model/schema/check.js';
import { jsonSchema } from '../../model/schema/json-schema.js';
import { oneOf } from '../../model/schema/schemas.js';
import type { ConnectionOptions } from '../options/flag-groups.js';
import { failureMessage } from '../terminal/exit-codes.js';
import { formatAlignedTable } from '../terminal/text-table.js';
import { CROP_WEIGHTS, DEGREE_DAYS } from './crop-tools.js';
import { CHART, FIND_SERIES, GET_POINTS, SEARCH } from './series-tools.js';
import { type Answer, type CommandLine, formatFigure, type Tool, type ToolCall } from './tool.js';

const TOOLS: readonly Tool[] = [SEARCH, FIND_SERIES, GET_POINTS, DEGREE_DAYS, CROP_WEIGHTS, CHART];

const INSTRUCTIONS =
  'Agricultural time series. Look up names with search, choose a series with find_series, then use its key. State the units, sources and notes with every figure, and include the command so that people can check it.';

interface ServerParts {
  readonly newClient: () => Client;
  /** The store or host to which the command lines in results refer. */
  readonly connection: ConnectionOptions;
  readonly signal: AbortSignal;
}

/** Creates an MCP server with all tools. Every tool is read-only. */
export function createMcpServer(
  { Server, ListToolsRequestSchema, CallToolRequestSchema }: Sdk,
  { newClient, connection, signal: stop }: ServerParts,
): Server {
  const commandLine = createCommandFormatter(connection);
  const server = new Server(
    { name: 'cropframe', version: VERSION },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal: request }) =>
    runUnderSignals([request, stop], ({ signal }) =>
      callTool(params, { client: newClient(), commandLine, signal }).then(resultOf, formatFailure),
    ),
  );
  return server;
}

function describeTool({ name, title, description, takes }: Tool) {
  const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };
  const inputSchema = jsonSchema(optionsOf(takes), 'input') as { type: 'object' };
  return { name, title, description, inputSchema, annotations };
}

/** Calls a tool. @throws ArgumentError if the tool does not exist or the arguments do not match their schemas */
async function callTool(
  params: { readonly name: string; readonly arguments?: object | undefined },
  call: ToolCall,
): Promise<Answer> {
  const name = parse(oneOf(TOOLS.map((tool) => tool.name)), params.name, 'tool');
  const { takes, run } = TOOLS.find((tool) => tool.name === name)!;
  return run(parse(optionsOf(takes), params.arguments ?? {}, ''), call);
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
  const { sources = [], notes, command } = structured;
  const rows = structured[list] as readonly Readonly<Record<string, unknown>>[];
  const cellOf = (value: unknown) => (typeof value === 'number' ? formatFigure(value) : String(value ?? ''));
  const shown = columns.map((title) => ({ title, of: (row: (typeof rows)[0]) => cellOf(row[title]) }));
  return [
    heading,
    ...(rows.length === 0 ? [] : [formatAlignedTable(rows, shown).trimEnd()]),
    ...notes.map((note) => `Note: ${note}`),
    ...sources.map(
      ({ name, longName, licence, citation }) =>
        `Source: ${name} (${longName}). Licence: ${licence || 'not stated'}. Cite as: ${citation || longName}`,
    ),
    `Repeat: ${command}`,
    ...(more === undefined ? [] : [more]),
  ].join('\n\n');
}

/** Formats an error as a tool's result, with its message and remedy but without a stack trace. */
function formatFailure(error: unknown) {
  const text = failureMessage(error) ?? 'the output is closed';
  return { content: [{ type: 'text' as const, text }], isError: true };
}

/** Returns a function that formats commands for a POSIX shell, with this server's store or host but without a token. */
function createCommandFormatter({ store, host }: ConnectionOptions): CommandLine {
  const connection = store === undefined ? { host } : { store };
  return ({ name, takes }, options) => {
    const words: string[] = [];
    const flags = Object.entries({ ...connection, ...options }).flatMap(([option, value]) => {
      const one = takes[option];
      const values = [value]
        .flat()
        .flatMap((each) => (each === undefined || each === null ? [] : String(each)));
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

type Sdk = Awaited<ReturnType<typeof importSdk>>;

/** Loads the MCP SDK, an optional peer dependency. @throws ArgumentError if it is not installed */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await importSdk();
  } catch (cause) {
    const { code, message } = cause as { readonly code?: unknown; readonly message?: unknown };
    if (code !== 'ERR_MODULE_NOT_FOUND' || !String(message).includes('@modelcontextprotocol/sdk'))
      throw cause;
    throw new ArgumentError('mcp', NOT_INSTALLED, { cause });
  }
}

async function importSdk() {
  const [server, types, stdio] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
    import('@modelcontextprotocol/sdk/server/stdio.js'),
  ]);
  return { ...server, ...types, ...stdio };
}

const NOT_INSTALLED =
  'mcp needs the package @modelcontextprotocol/sdk, which is not installed; run "npm install @modelcontextprotocol/sdk" where cropframe is installed (with -g, if cropframe is)';
