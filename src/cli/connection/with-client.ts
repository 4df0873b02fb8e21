import { readHost } from '../../client/http/host.js';
import { type Client, createClient } from '../../create-client.js';
import { isLoopback } from '../../model/access.js';
import { AuthenticationError, badArgument, RuntimeError } from '../../model/errors.js';
import { newToken, singleTokenAuthorizer } from '../../service/access/auth.js';
import { createService } from '../../service/service.js';
import type { ConnectionOptions } from '../options/flag-groups.js';
import type { CommandContext } from '../terminal/io.js';
import { withStore } from './store-file.js';

export interface ClientContext extends CommandContext {
  readonly client: Client;
}

export type Asking = Pick<ClientContext, 'client' | 'signal'>;

/** Creates a command's action, which reads from a service or a store, and throws the same errors as `withClient`. */
export function createAction<Options extends ConnectionOptions>(
  action: (context: ClientContext, options: Options) => Promise<void>,
): (context: CommandContext, options: Options) => Promise<void> {
  return (context, options) =>
    withClient(context, options, (client) => action(Object.assign(context, { client }), options));
}

/** Calls `step` with a client. @throws ArgumentError if both host and store are given; RuntimeError without a token */
export function withClient<Result>(
  context: CommandContext,
  options: ConnectionOptions,
  step: (client: Client) => Promise<Result>,
): Promise<Result> {
  return withClients(context, options, (newClient) => step(newClient()));
}

/** Calls `step` with a function that creates clients. A client holds a list of series, so each task needs its own. */
export async function withClients<Result>(
  context: CommandContext,
  options: ConnectionOptions,
  step: (newClient: () => Client) => Promise<Result>,
): Promise<Result> {
  if (options.store === undefined) return withRemote(context, options, step);
  if (options.host !== undefined) throw badArgument('host', 'cannot be combined with --store');
  const whenBusy = 'use --host with the URL of the service that serves it, or stop that process';
  return withStore(options.store, { to: 'read', whenBusy }, async (store) => {
    const access_token = newToken();
    const service = createService(store, { authorize: singleTokenAuthorizer(access_token) });
    return step(() => createClient({ api_host: 'http://embedded.invalid', access_token, fetch: service }));
  });
}

/** Returns the service's URL: `--host`, or else `CROPFRAME_HOST`, or else the default. */
export function resolveHost({ env }: Pick<CommandContext, 'env'>, { host }: ConnectionOptions): string {
  return readHost(host ?? (env.CROPFRAME_HOST || undefined));
}

/** Returns the access token: `--token`, or else `CROPFRAME_TOKEN`, or else `API_TOKEN`. */
export function resolveToken(
  { env }: Pick<CommandContext, 'env'>,
  { token }: ConnectionOptions,
): string | undefined {
  return token || env.CROPFRAME_TOKEN || env.API_TOKEN || undefined;
}

/** The token sent to a local service if no token is given. A service without authentication accepts any token. */
const ANY_TOKEN = 'anyone';

async function withRemote<Result>(
  context: CommandContext,
  options: ConnectionOptions,
  step: (newClient: () => Client) => Promise<Result>,
): Promise<Result> {
  const api_host = resolveHost(context, options);
  const token = resolveToken(context, options);
  const noToken = new RuntimeError(
    'no access token: pass --token, set API_TOKEN, or read a store with --store FILE',
  );
  if (token === undefined && !isLoopback(new URL(api_host).hostname)) throw noToken;
  try {
    return await step(() => createClient({ api_host, access_token: token ?? ANY_TOKEN }));
  } catch (error) {
    throw token === undefined && error instanceof AuthenticationError ? noToken : error;
  }
}
