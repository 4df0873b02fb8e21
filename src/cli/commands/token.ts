import { type Command, Option } from 'commander';
import { ArgumentError } from '../../model/errors.js';
import { hashToken, newToken } from '../../service/access/auth.js';
import type { StoredToken } from '../../store/store.js';
import { expiry } from '../options/option-values.js';
import { accessOf, storeOption } from '../options/store-file.js';
import { NothingFoundError } from '../terminal/exit-codes.js';
import { type CommandContext, remark, writeJson, writeLine } from '../terminal/io.js';
import { writeTable } from '../terminal/text-table.js';
import { readEmail } from './user.js';

const CREATE_HELP = `
The token is shown this once: the store keeps only its hash.

Examples:
  $ cropframe token create --name notebook --expires 30d --store farm.duckdb
  $ export API_TOKEN=$(cropframe token create --name cron --store farm.duckdb)`;

interface CreateOptions {
  store: string;
  name: string;
  email?: string | undefined;
  expires?: number | undefined;
  json?: boolean | undefined;
}

/** `cropframe token create|list|revoke`: who may ask a service. */
export function addTokenCommand(program: Command, context: CommandContext): void {
  const token = program.command('token').summary('access tokens').description('Access tokens of a store.');
  token
    .command('create')
    .description('Make an access token and print it.')
    .requiredOption('--name <name>', 'what to call it; for listing and revoking')
    .option('--email <email>', 'whose it is')
    .addOption(
      new Option('--expires <when>', 'a span (12h, 30d, 8w, 1y) or a date; never without').argParser((text) =>
        expiry(text),
      ),
    )
    .addOption(storeOption())
    .option('--json', 'print the token with its name and times as JSON')
    .addHelpText('after', CREATE_HELP)
    .action((options: CreateOptions) => createToken(context, options));
  token
    .command('list')
    .description('List the tokens; what they are, not the tokens themselves.')
    .addOption(storeOption())
    .option('--json', 'print them as JSON')
    .addHelpText('after', '\nExample:\n  $ cropframe token list --store farm.duckdb')
    .action((options: { store: string; json?: boolean | undefined }) => listTokens(context, options));
  token
    .command('revoke')
    .description('Revoke every token of a name; requests with it are then refused.')
    .argument('<name>', 'the name of the token')
    .addOption(storeOption())
    .addHelpText('after', '\nExample:\n  $ cropframe token revoke notebook --store farm.duckdb')
    .action((name: string, options: { store: string }) => revokeToken(context, name, options.store));
}

async function createToken(context: CommandContext, options: CreateOptions): Promise<void> {
  const { name, json } = options;
  if (name.trim() === '') throw new ArgumentError('name', '--name is empty; give the token a name');
  const email = options.email === undefined ? null : readEmail(options.email);
  const access = accessOf(options.store);
  const namesake = (await access.tokens()).find((known) => known.name === name && stateOf(known) === 'valid');
  if (namesake !== undefined) {
    throw new ArgumentError(
      'name',
      `there is a valid token "${name}" already; revoke it, or choose another name`,
    );
  }
  const token = newToken();
  const times = { createdMs: Date.now(), expiresMs: options.expires ?? null, revokedMs: null };
  await access.putToken({ hash: hashToken(token), name, email, ...times });
  if (json === true) {
    const { createdMs, expiresMs } = times;
    const shown = { name, email, created: timeText(createdMs), expires: timeText(expiresMs), token };
    return writeJson(context.stdout, shown);
  }
  await writeLine(context.stdout, token);
  await remark(
    context,
    'Keep it: it is shown this once. Use it as --token, or as API_TOKEN in the environment.',
  );
}

async function listTokens(
  context: CommandContext,
  { store: file, json }: { store: string; json?: boolean | undefined },
): Promise<void> {
  const tokens = await accessOf(file).tokens();
  const shown = tokens.map((token) => ({
    name: token.name,
    email: token.email,
    created: timeText(token.createdMs),
    expires: timeText(token.expiresMs),
    revoked: timeText(token.revokedMs),
    state: stateOf(token),
  }));
  if (json === true) return writeJson(context.stdout, shown);
  if (shown.length === 0) return remark(context, 'there are no tokens');
  const titles = ['name', 'email', 'created', 'expires', 'revoked', 'state'] as const;
  await writeTable(
    context,
    titles.map((title) => ({ title })),
    shown.map((token) => titles.map((title) => token[title] ?? '-')),
  );
}

async function revokeToken(context: CommandContext, name: string, file: string): Promise<void> {
  const revoked = await accessOf(file).revokeToken(name, Date.now());
  if (revoked === 0) throw new NothingFoundError(`there is no token "${name}" that is not revoked already`);
  await writeLine(context.stdout, `revoked ${revoked} ${revoked === 1 ? 'token' : 'tokens'} "${name}"`);
}

function stateOf({ revokedMs, expiresMs }: StoredToken): 'valid' | 'revoked' | 'expired' {
  if (revokedMs !== null) return 'revoked';
  return expiresMs !== null && expiresMs <= Date.now() ? 'expired' : 'valid';
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : `${new Date(ms).toISOString().slice(0, 16)}Z`;
}
