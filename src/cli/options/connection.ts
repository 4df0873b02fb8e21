import { type Command, Option } from 'commander';

/** Which service a command asks: one at a host, or one in this process over a store. */
export interface ConnectionOptions {
  host?: string | undefined;
  token?: string | undefined;
  store?: string | undefined;
}

/** Adds `--host`, `--token` and `--store`. */
export function addConnectionOptions(command: Command): Command {
  const options = [
    new Option('--host <url>', 'URL of the service (default: $CROPFRAME_HOST, else this machine)'),
    new Option('--token <token>', 'access token (default: $API_TOKEN)'),
    new Option(
      '--store <file>',
      'store file (or clickhouse:// address) to read directly, without a service or a token',
    ),
  ];
  for (const option of options) command.addOption(option.helpGroup('Connection:'));
  return command;
}

/** The connection options of a command, given before or after the subcommand's name. */
export function readConnection(command: Command): ConnectionOptions {
  const chosen: ConnectionOptions = {};
  for (let at: Command | null = command; at !== null; at = at.parent) {
    const { host, token, store } = at.opts<ConnectionOptions>();
    chosen.host ??= host;
    chosen.token ??= token;
    chosen.store ??= store;
  }
  return chosen;
}

/** `--store FILE` of the commands that require a store. */
export function storeOption(): Option {
  return new Option(
    '--store <file>',
    'store file, or clickhouse:// address (required)',
  ).makeOptionMandatory();
}
