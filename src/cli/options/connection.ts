import { type Command, Option } from 'commander';
import { readHost } from '../../client/http/host.js';
import { type Client, createClient } from '../../create-client.js';
import { ArgumentError, AuthenticationError, RuntimeError } from '../../model/errors.js';
import { newToken, singleTokenAuthorizer } from '../../service/access/auth.js';
import { createService } from '../../service/service.js';
import type { CommandContext } from '../terminal/io.js';
import { isLoopback } from './loopback.js';
import { withStore } from './store-file.js';

/** Which service a command asks: one at a host, or one of its own over a store's file. */
export interface ConnectionOptions {
  host?: string | undefined;
  token?: string | undefined;
  store?: string | undefined;
}

/** Adds the options that say which service is asked. */
export function addConnectionOptions(command: Command): Command {
  command.addOption(
    new Option('--host <url>', 'the service to ask (default: $CROPFRAME_HOST, else this machine)').helpGroup(
      'Where to ask:',
    ),
  );
  command.addOption(
    new Option('--token <token>', 'the access token (default: $API_TOKEN)').helpGroup('Where to ask:'),
  );
  return command.addOption(
    new Option('--store <file>', 'read a store’s file directly, without a service or a token').helpGroup(
      'Where to ask:',
    ),
  );
}

/** The connection that a command was given, before or behind the subcommand's name. */
export function connectionOf(command: Command): ConnectionOptions {
  const chosen: ConnectionOptions = {};
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const { host, token, store } = at.opts<ConnectionOptions>();
    if (host !== undefined) chosen.host ??= host;
    if (token !== undefined) chosen.token ??= token;
    if (store !== undefined) chosen.store ??= store;
  }
  return chosen;
}

/**
 * Opens a client for the time of one step.
 * @throws ArgumentError when both a host and a store are named; RuntimeError when there is no token; the step's errors
 */
export async function withClient<Result>(
  context: CommandContext,
  options: ConnectionOptions,
  step: (client: Client) => Promise<Result>,
): Promise<Result> {
  if (options.store === undefined) return withRemote(context, options, step);
  if (options.host !== undefined) {
    throw new ArgumentError('host', '--host asks a service and --store reads a file: give one of them');
  }
  const whenBusy = 'ask the service that serves it with --host URL, or stop that process';
  return withStore(options.store, { to: 'read', whenBusy }, async (store) => {
    const access_token = newToken();
    const service = createService(store, { authorize: singleTokenAuthorizer(access_token) });
    return step(createClient({ api_host: 'http://embedded.invalid', access_token, fetch: service }));
  });
}

/** The address of the service that is asked, and nothing else of it. */
export function hostOf({ env }: Pick<CommandContext, 'env'>, { host }: ConnectionOptions): string {
  return readHost(host ?? nonEmpty(env.CROPFRAME_HOST));
}

/** The token that was given: by option, else by `API_TOKEN`. */
export function tokenOf(
  { env }: Pick<CommandContext, 'env'>,
  { token }: ConnectionOptions,
): string | undefined {
  return nonEmpty(token) ?? nonEmpty(env.API_TOKEN);
}

/** What is sent to a service on this machine without a token: an open one takes any. */
const ANYONE = 'anyone';

async function withRemote<Result>(
  context: CommandContext,
  options: ConnectionOptions,
  step: (client: Client) => Promise<Result>,
): Promise<Result> {
  const api_host = hostOf(context, options);
  const token = tokenOf(context, options);
  const noToken = new RuntimeError(
    'no access token: give --token, set API_TOKEN, or read a store with --store FILE',
  );
  if (token === undefined && !isLoopback(new URL(api_host).hostname)) throw noToken;
  try {
    return await step(createClient({ api_host, access_token: token ?? ANYONE }));
  } catch (error) {
    throw token === undefined && error instanceof AuthenticationError ? noToken : error;
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
