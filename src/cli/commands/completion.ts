import { Argument, type Command } from 'commander';
import { type CommandContext, write } from '../terminal/io.js';

const HELP = `
Examples:
  $ source <(cropframe completion bash)
  $ cropframe completion zsh > "\${fpath[1]}/_cropframe"
  $ cropframe completion fish > ~/.config/fish/completions/cropframe.fish`;

export function addCompletionCommand(program: Command, context: CommandContext): void {
  program
    .command('completion')
    .summary('print a completion script for a shell')
    .description('Print a script that lets a shell complete commands, options and their values.')
    .addArgument(new Argument('<shell>', 'shell').choices(SHELLS))
    .addHelpText('after', HELP)
    .action((shell: Shell) => write(context.stdout, completionScript(shell, completionTable(program))));
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** The completion script for a shell. */
function completionScript(shell: Shell, table: readonly CompletedCommand[]): string {
  return shell === 'fish' ? fishScript(table) : shell === 'zsh' ? zshScript(table) : bashScript(table);
}

/** Shell code that sets `at` to the path of the command typed so far. */
function followPath(table: readonly CompletedCommand[]): string {
  const cases = table
    .filter(({ path }) => path !== '')
    .map(({ path }) => `      "${path}"|" ${path}") at="${path}";;`);
  return [`    case "$at $word" in`, ...cases, '    esac'].join('\n');
}

/** One case for each option of a command that takes a value. */
function valueCases(
  table: readonly CompletedCommand[],
  reply: (value: CompletedOption['value']) => string,
): string {
  return table
    .flatMap(({ path, options }) =>
      options
        .filter(({ value }) => value !== 'none')
        .map(({ flag, value }) => `    "${path} ${flag}") ${reply(value)}; return;;`),
    )
    .join('\n');
}

function wordsOf({ subcommands, choices }: CompletedCommand): string {
  return [...subcommands.map(({ name }) => name), ...choices].join(' ');
}

function bashScript(table: readonly CompletedCommand[]): string {
  const commands = table.map((command) => {
    const flags = command.options.map(({ flag }) => flag).join(' ');
    return `    "${command.path}") words="${wordsOf(command)}"; flags="${flags}"; files="${command.takesFiles ? 'yes' : ''}";;`;
  });
  const reply = (value: CompletedOption['value']): string => {
    if (value === 'file') return 'COMPREPLY=($(compgen -f -- "$cur"))';
    return value === 'text' || value === 'none'
      ? 'COMPREPLY=()'
      : `COMPREPLY=($(compgen -W "${value.join(' ')}" -- "$cur"))`;
  };
  return `# cropframe completion bash: add  source <(cropframe completion bash)  to ~/.bashrc
_cropframe() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" at="" word words flags files
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${followPath(table)}
  done
  case "$at $prev" in
${valueCases(table, reply)}
  esac
  case "$at" in
${commands.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    if [[ -n "$files" ]]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
  fi
}
complete -o filenames -F _cropframe cropframe
`;
}

function zshScript(table: readonly CompletedCommand[]): string {
  const commands = table.map((command) => {
    const flags = command.options.map(({ flag }) => flag).join(' ');
    return `    "${command.path}") words_here=(${wordsOf(command)}); flags=(${flags}); files="${command.takesFiles ? 'yes' : ''}";;`;
  });
  const reply = (value: CompletedOption['value']): string => {
    if (value === 'file') return '_files';
    return value === 'text' || value === 'none' ? ':' : `compadd -- ${value.join(' ')}`;
  };
  return `#compdef cropframe
# cropframe completion zsh: put this output into a file _cropframe in a folder of $fpath
_cropframe() {
  local at="" word files
  local -a words_here flags
  for word in "\${(@)words[2,CURRENT-1]}"; do
${followPath(table)}
  done
  case "$at \${words[CURRENT-1]}" in
${valueCases(table, reply)}
  esac
  case "$at" in
${commands.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then compadd -- $flags
  else
    compadd -- $words_here
    if [[ -n "$files" ]]; then _files; fi
  fi
}
if [[ "$funcstack[1]" == "_cropframe" ]]; then _cropframe "$@"; else compdef _cropframe cropframe; fi
`;
}

function fishScript(table: readonly CompletedCommand[]): string {
  const lines = table.flatMap((command) => {
    const condition = fishCondition(command, table);
    const words = command.subcommands.map(
      ({ name, description }) =>
        `complete -c cropframe ${condition} -f -a ${name} -d ${fishQuoted(description)}`,
    );
    const choices = command.choices.map((word) => `complete -c cropframe ${condition} -f -a ${word}`);
    const options = command.options.map(({ flag, description, value }) => {
      const takes = { none: '-f', file: '-r -F', text: '-x' } as const;
      const how = typeof value === 'string' ? takes[value] : `-x -a ${fishQuoted(value.join(' '))}`;
      return `complete -c cropframe ${condition} -l ${flag.replace(/^--/, '')} ${how} -d ${fishQuoted(description)}`;
    });
    return [...words, ...choices, ...options];
  });
  return `# cropframe completion fish: cropframe completion fish > ~/.config/fish/completions/cropframe.fish
${lines.join('\n')}
`;
}

/** True when the words typed so far name exactly this command. */
function fishCondition(command: CompletedCommand, table: readonly CompletedCommand[]): string {
  if (command.path === '') return '-n __fish_use_subcommand';
  const seen = command.path.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  const below = table
    .filter(({ path }) => path.startsWith(`${command.path} `))
    .map(({ path }) => path.slice(command.path.length + 1));
  if (below.length > 0) seen.push(`not __fish_seen_subcommand_from ${below.join(' ')}`);
  return `-n ${fishQuoted(seen.join('; and '))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** An option as a shell completes it. */
interface CompletedOption {
  readonly flag: string;
  readonly description: string;
  /** Its value: none, a file, any text, or one of these words. */
  readonly value: 'none' | 'file' | 'text' | readonly string[];
}

/** One command as a shell completes it. */
interface CompletedCommand {
  /** The words after `cropframe`, such as `token create`; empty for `cropframe` itself. */
  readonly path: string;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly CompletedOption[];
  /** The allowed words of its first argument. */
  readonly choices: readonly string[];
  readonly takesFiles: boolean;
}

/** The command and all its subcommands, as the parser knows them. */
function completionTable(program: Command): CompletedCommand[] {
  return collect(program, '');
}

function collect(command: Command, path: string): CompletedCommand[] {
  const options = command
    .createHelp()
    .visibleOptions(command)
    .map((option) => ({
      flag: option.long ?? option.short!,
      description: option.description,
      value: completedValue(option.flags, option.argChoices),
    }));
  const args = command.registeredArguments;
  const own: CompletedCommand = {
    path,
    subcommands: command.commands.map((one) => ({
      name: one.name(),
      description: one.summary() || one.description(),
    })),
    options,
    choices: args[0]?.argChoices ?? [],
    takesFiles: args.some((one) => /^files?$/.test(one.name())),
  };
  return [own, ...command.commands.flatMap((one) => collect(one, `${path} ${one.name()}`.trim()))];
}

function completedValue(flags: string, choices: readonly string[] | undefined): CompletedOption['value'] {
  if (choices !== undefined) return choices;
  if (!flags.includes('<')) return 'none';
  return flags.includes('<file>') ? 'file' : 'text';
}
