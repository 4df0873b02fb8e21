import { Command } from 'commander';
import { VERSION } from '../contract/wire-names.js';
import { visibleText } from '../frame/display/escape-text.js';
import { ArgumentError } from '../model/errors.js';
import { addAreaWeightingCommand } from './commands/area-weighting.js';
import { addCompletionCommand } from './commands/completion.js';
import { addDfCommand, addPointsCommand } from './commands/df.js';
import {
  addFacetsCommand,
  addFindCommand,
  addListCommand,
  addSearchCommand,
  addUnitsCommand,
  addVintagesCommand,
} from './commands/discovery.js';
import { addExploreCommand } from './commands/explore.js';
import { addGddCommand } from './commands/gdd.js';
import { addImportCommand } from './commands/import.js';
import { addMcpCommand } from './commands/mcp.js';
import { addRandomSeriesTool } from './commands/random-series.js';
import { addServeCommand } from './commands/serve.js';
import { addSqlCommand } from './commands/sql.js';
import { addStoreCommand } from './commands/store.js';
import { addTokenCommand, addUserCommand } from './commands/token.js';
import { addUpdateCommand } from './commands/update.js';
import { EXIT_CODE_HELP, exitCodeOf, reportFailure } from './terminal/exit-codes.js';
import type { CommandContext, CommandIo } from './terminal/io.js';

const HELP_COMMAND = ['help [command]', 'print help for a command'] as const;

const HELP = `
Examples:
  $ cropframe import demo --store demo.duckdb
  $ cropframe find --item "Temperature max" --store demo.duckdb
  $ cropframe serve --store demo.duckdb --no-auth
  $ cropframe --item corn --region Washington --file corn.csv

Environment variables:
  API_TOKEN        access token
  CROPFRAME_HOST   URL of the service
  CROPFRAME_MIRROR URL of a mirror of the agencies’ files, for --fetch and update
  CROPFRAME_DEBUG  1 prints the stack trace of an error

${EXIT_CODE_HELP}`;

/**
 * The command with all its subcommands. Each loads its action, and what the action needs, only when it runs: the command
 * starts quickly, and help and completion know every option.
 */
export function createProgram(context: CommandContext, version: string): Command {
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
      writeOut: (text) => context.stdout.write(visibleText(text)),
      writeErr: (text) => context.stderr.write(visibleText(text)),
      getOutHelpWidth: () => context.stdout.columns || 110,
      getErrHelpWidth: () => context.stderr.columns || 110,
    })
    .showHelpAfterError('(use --help for details)')
    .addHelpText('after', HELP);
  addSubcommands(program, context);
  // Set after the subcommands, which would inherit it: the program reports an unknown command itself.
  return program.allowExcessArguments().hook('preSubcommand', refuseMisplacedOptions);
}

function addSubcommands(program: Command, context: CommandContext): void {
  addRandomSeriesTool(program, context);
  program.commandsGroup('Find and retrieve:');
  addListCommand(program, context);
  addSearchCommand(program, context);
  addFindCommand(program, context);
  addFacetsCommand(program, context);
  addPointsCommand(program, context);
  addVintagesCommand(program, context);
  addDfCommand(program, context);
  addSqlCommand(program, context);
  addGddCommand(program, context);
  addAreaWeightingCommand(program, context);
  addUnitsCommand(program, context);
  addExploreCommand(program, context);
  program.commandsGroup('Run a service:');
  addImportCommand(program, context);
  addUpdateCommand(program, context);
  addServeCommand(program, context);
  addMcpCommand(program, context);
  addStoreCommand(program, context);
  addUserCommand(program, context);
  addTokenCommand(program, context);
  program.commandsGroup('Other:').helpCommand(...HELP_COMMAND);
  addCompletionCommand(program, context);
}

const BEFORE_COMMANDS: ReadonlySet<string> = new Set(['host', 'token', 'store']);

/** Refuses options of the random-series tool before a subcommand, which would ignore them. */
function refuseMisplacedOptions(program: Command, subcommand: Command): void {
  const misplaced = program.options.find((option) => {
    const name = option.attributeName();
    return program.getOptionValueSource(name) === 'cli' && !BEFORE_COMMANDS.has(name);
  });
  if (misplaced === undefined) return;
  throw new ArgumentError(
    misplaced.attributeName(),
    `${misplaced.long} is before "${subcommand.name()}"; move it after the command, if the command has this option`,
  );
}

/**
 * Runs one command and returns its exit code. Throws nothing, and does not touch the process.
 * @param argv the arguments after the command's name
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  const context: CommandContext = { ...io, exitCode: 0 };
  const program = createProgram(context, VERSION);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return context.exitCode;
  } catch (error) {
    const { options } = program.commands.find((command) => command.name() === argv[0]) ?? program;
    const flags = options.flatMap(({ long }) => long ?? []);
    await reportFailure(error, io, flags).catch(() => {});
    return exitCodeOf(error);
  }
}
