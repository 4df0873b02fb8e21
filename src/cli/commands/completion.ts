import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion/scripts.js';
import { completionTable } from '../completion/table.js';
import { type CommandContext, write } from '../terminal/io.js';

const HELP = `
Examples:
  $ source <(cropframe completion bash)
  $ cropframe completion zsh > "\${fpath[1]}/_cropframe"
  $ cropframe completion fish > ~/.config/fish/completions/cropframe.fish`;

/** `cropframe completion`: a completion script for a shell. */
export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a script with which a shell completes commands, options and their values.')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => write(context.stdout, completionScript(shell, completionTable(program))));
}
