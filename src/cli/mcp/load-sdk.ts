import { ArgumentError } from '../../model/errors.js';

/** What the server takes of the Model Context Protocol's SDK. */
export type Sdk = Awaited<ReturnType<typeof importSdk>>;

/** Loads the SDK, which is an optional peer. @throws ArgumentError that says how to install it */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await importSdk();
  } catch (cause) {
    if (!isAbsent(cause)) throw cause;
    throw new ArgumentError('mcp', NOT_INSTALLED, { cause });
  }
}

async function importSdk() {
  const [{ McpServer }, { StdioServerTransport }, { WebStandardStreamableHTTPServerTransport }] =
    await Promise.all([
      import('@modelcontextprotocol/sdk/server/mcp.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
    ]);
  return { McpServer, StdioServerTransport, WebStandardStreamableHTTPServerTransport };
}

function isAbsent(error: unknown): boolean {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  return code === 'ERR_MODULE_NOT_FOUND' && String(message).includes('@modelcontextprotocol/sdk');
}

const NOT_INSTALLED =
  'mcp needs the package @modelcontextprotocol/sdk, which is not installed; run "npm install @modelcontextprotocol/sdk" where cropframe is installed (with -g, if cropframe is)';
