import { Command } from 'commander';
import { VERSION } from '../contract/wire-names.js';
import { visibleText } from '../frame/display/escape-text.js';
import { ArgumentError } from '../model/errors.js';
import { nearestWord } from '../model/names/edit-distance.js';
import * as access from './commands/access.js';
import { addCompletionCommand } from './commands/completion.js';
import { FACETS, FIND, LIST, SEARCH, UNITS, VINTAGES } from './commands/discovery.js';
import { IMPORT, UPDATE } from './commands/importing.js';
import { DF, FROM_PARTS, GDD, POINTS, SAMPLE, SQL } from './commands/retrieval.js';
import { EXPLORE, MCP, SERVE } from './commands/serving.js';
import { BACKUP, CHECK, COPY, INIT, RESTORE } from './commands/store.js';
import { commandAdder } from './options/flags.js';
import { EXIT_CODE_HELP, reportFailure } from './terminal/exit-codes.js';
import { type CommandContext, type CommandIo, write } from './terminal/io.js';

const HELP_COMMAND = ['help [command]', 'print help for a command'] as const;

const HELP = `
Examples:
  $ cropframe import demo --store demo.duckdb
  $ cropframe find --item "Temperature max" --store demo.duckdb
  $ cropframe serve --store demo.duckdb --no-auth
  $ cropframe --item corn --region Washington --file corn.csv --store demo.duckdb

Without a command, cropframe runs "cropframe sample".

Environment variables:
  CROPFRAME_TOKEN  access token; else API_TOKEN
  CROPFRAME_HOST   URL of the service
  CROPFRAME_MIRROR URL of a mirror of the agencies’ files, for --fetch and update
  CROPFRAME_DEBUG  1 prints the stack trace of an error

${EXIT_CODE_HELP}`;

/** Creates the `cropframe` command. Each subcommand loads its action only when run, so the program starts quickly. */
export function createProgram(context: CommandContext, version: string, help: string[] = []): Command {
  const program = new Command('cropframe')
    .usage('[command] [options]')
    .description(
      'Agricultural time series: import public data sets, serve them, find series and retrieve their points.',
    )
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(...HELP_COMMAND)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => help.push(visibleText(text)),
      writeErr: (text) => context.stderr.write(visibleText(text)),
      getOutHelpWidth: () => context.stdout.columns || 110,
      getErrHelpWidth: () => context.stderr.columns || 110,
    })
    .showHelpAfterError('(use --help for details)')
    .addHelpText('after', HELP);
  addSubcommands(program, context);
  return program;
}

function addSubcommands(program: Command, context: CommandContext): void {
  const add = commandAdder(program, context);
  program.commandsGroup('Find and retrieve:');
  add(LIST, async () => (await import('./actions/discovery.js')).listCatalogue);
  add(SEARCH, async () => (await import('./actions/discovery.js')).search);
  add(FIND, async () => (await import('./actions/discovery.js')).find);
  add(FACETS, async () => (await import('./actions/discovery.js')).listFacets);
  add(POINTS, async () => (await import('./actions/df.js')).retrievePoints);
  add(VINTAGES, async () => (await import('./actions/discovery.js')).listVintages);
  add(DF, async () => (await import('./actions/df.js')).retrieveSeries);
  add(SQL, async () => (await import('./actions/sql.js')).askStore);
  add(GDD, async () => (await import('./actions/models.js')).computeGdd);
  add(FROM_PARTS, async () => (await import('./actions/models.js')).computeFromParts);
  const sample = add(SAMPLE, async () => (await import('./actions/sample.js')).writeSample);
  sample.allowExcessArguments().hook('preAction', ({ args: [word] }) => {
    if (word !== undefined) throw unknownCommand(program, word);
  });
  add(UNITS, async () => (await import('./actions/discovery.js')).listUnits);
  add(EXPLORE, async () => (await import('./actions/serve.js')).explore);
  program.commandsGroup('Run a service:');
  add(IMPORT, async () => (await import('./actions/import.js')).importFiles);
  add(UPDATE, async () => (await import('./actions/update.js')).update);
  add(SERVE, async () => (await import('./actions/serve.js')).serveStore);
  add(MCP, async () => (await import('./actions/mcp.js')).serveMcp);
  const store = program.command('store').summary('check, back up and restore a store');
  const ofStore = commandAdder(store.description('Check, back up, restore and copy a store.'), context);
  ofStore(INIT, async () => (await import('./actions/store.js')).initStore);
  ofStore(CHECK, async () => (await import('./actions/store.js')).checkStoreFile);
  ofStore(BACKUP, async () => (await import('./actions/store.js')).backUpStore);
  ofStore(COPY, async () => (await import('./actions/store.js')).copyStores);
  ofStore(RESTORE, async () => (await import('./actions/store.js')).restoreStoreFile);
  const user = program.command('user').summary('manage the users of a store');
  user.description('Manage the users of a store, who may obtain access tokens.');
  const ofUser = commandAdder(user, context);
  ofUser(access.ADD_USER, async () => (await import('./actions/token.js')).addUser);
  ofUser(access.LIST_USERS, async () => (await import('./actions/token.js')).listUsers);
  ofUser(access.REMOVE_USER, async () => (await import('./actions/token.js')).removeUser);
  const token = program.command('token').summary('manage the access tokens of a store');
  const ofToken = commandAdder(token.description('Manage the access tokens of a store.'), context);
  ofToken(access.CREATE_TOKEN, async () => (await import('./actions/token.js')).createToken);
  ofToken(access.LIST_TOKENS, async () => (await import('./actions/token.js')).listTokens);
  ofToken(access.REVOKE_TOKEN, async () => (await import('./actions/token.js')).revokeToken);
  program.commandsGroup('Other:').helpCommand(...HELP_COMMAND);
  addCompletionCommand(program, context);
}

/** Returns the error for an unknown command, or for a command that follows another command's options. */
function unknownCommand(program: Command, word: string): ArgumentError {
  const names = program.commands.map((command) => command.name());
  if (names.includes(word))
    return new ArgumentError('command', `there are options before "${word}"; move them after the command`);
  const nearest = nearestWord(word, names);
  const remedy =
    nearest === undefined ? `the commands are ${names.join(', ')}` : `did you mean "${nearest}"?`;
  return new ArgumentError('command', `there is no command "${word}"; ${remedy}`);
}

/** Runs one command and returns its exit code. Never throws, and does not change the state of the process. */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const context: CommandContext = { ...io, exitCode: 0 };
  const help: string[] = [];
  const program = createProgram(context, VERSION, help);
  try {
    const [first, word] = argv;
    // For an unknown command, the parser would print the program's help instead of an error.
    if (first === 'help' && word !== undefined && !program.commands.some((one) => one.name() === word))
      throw unknownCommand(program, word);
    await program.parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (thrown) {
    let error = thrown;
    await write(io.stdout, help.join('')).catch((failure: unknown) => {
      error = failure;
    });
    return reportFailure(error, io, context.flags ?? new Map());
  }
}
