import type { Command } from 'commander';
import { oneOf } from '../../model/schema/schemas.js';
import { word } from '../options/flags.js';
import { type CommandContext, write } from '../terminal/io.js';

const HELP = `
Examples:
  $ source <(cropframe completion bash)
  $ cropframe completion zsh > "\${fpath[1]}/_cropframe"
  $ cropframe completion fish > ~/.config/fish/completions/cropframe.fish`;

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a script that lets a shell complete commands, options and their values.')
    .addArgument(word('<shell>', oneOf(SHELLS), 'shell'))
    .addArgument(word('[words...]', 'after --: the words of a command line, of which the last is completed'))
    .addHelpText('after', HELP)
    .action((shell: Shell, words: readonly string[]) => {
      const lines = completions(program, words).map(([found, description]) =>
        shell === 'fish' ? `${found}\t${description}\n` : `${found}\n`,
      );
      return write(context.stdout, words.length === 0 ? SCRIPTS[shell] : lines.join(''));
    });
}

/** Shell scripts that obtain completions from `cropframe`. If it returns none, the scripts complete file names. */
const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `# cropframe completion bash: add  source <(cropframe completion bash)  to ~/.bashrc
_cropframe() {
  COMPREPLY=($(cropframe completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}"))
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")); fi
}
complete -o filenames -F _cropframe cropframe
`,
  zsh: `#compdef cropframe
# cropframe completion zsh: put this output into a file _cropframe in a folder of $fpath
_cropframe() {
  local found="$(cropframe completion zsh -- "\${(@)words[2,CURRENT]}")"
  if [[ -n "$found" ]]; then compadd -- "\${(@f)found}"; else _files; fi
}
if [[ "$funcstack[1]" == "_cropframe" ]]; then _cropframe "$@"; else compdef _cropframe cropframe; fi
`,
  fish: `# cropframe completion fish: cropframe completion fish > ~/.config/fish/completions/cropframe.fish
function _cropframe
  set -l found (cropframe completion fish -- (commandline -opc)[2..] (commandline -ct))
  if set -q found[1]; printf '%s\\n' $found; else; __fish_complete_path (commandline -ct); end
end
complete -c cropframe -f -a '(_cropframe)'
`,
};

/** Completes the last word with flags, subcommands, or the values of a flag or argument, each with its description. */
function completions(
  program: Command,
  typed: readonly string[],
): (readonly [found: string, description: string])[] {
  const [last = '', before] = [typed.at(-1), typed.at(-2)];
  let command = program;
  for (const name of typed.slice(0, -1))
    command = command.commands.find((one) => one.name() === name) ?? command;
  const options = command.createHelp().visibleOptions(command);
  const flag = options.find(({ long, flags }) => long === before && /[<[]/.test(flags));
  const choices = (flag ?? command.registeredArguments[0])?.argChoices ?? [];
  const subcommands = flag === undefined ? command.commands : [];
  const found = last.startsWith('-')
    ? options.map(({ long, short, description }) => [long ?? short!, description] as const)
    : [
        ...subcommands.map((one) => [one.name(), one.summary() || one.description()] as const),
        ...choices.map((choice) => [choice, ''] as const),
      ];
  return found.filter(([word]) => word.startsWith(last));
}
