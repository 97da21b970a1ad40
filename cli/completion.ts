import { Argument, type Command } from 'commander';
import { type AddCommand, examples } from './command.ts';

/** The words that can follow each command: its subcommands and options. */
function completionWordsOf(command: Command, path: string): [path: string, words: string[]][] {
  const options = command.options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : []));
  const below = command.commands.map((each) => each.name());
  const own: [string, string[]] = [path, [...below, ...options, '--help']];
  return [own, ...command.commands.flatMap((each) => completionWordsOf(each, `${path} ${each.name()}`))];
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function bash(table: [string, string[]][]): string {
  const cases = table.map(([path, words]) => `    ${quote(path)}) words=${quote(words.join(' '))} ;;`);
  return `_enfilade() {
  local path=enfilade word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; *) path="$path $word" ;; esac
  done
  # What is named behind a command is no part of its name.
  while :; do
    case "$path" in
${cases.map((line) => `  ${line}`).join('\n')}
    esac
    if [ -n "$words" ]; then break; fi
    case "$path" in *' '*) path="\${path% *}" ;; *) break ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _enfilade enfilade
`;
}

const zsh = (table: [string, string[]][]): string => `#compdef enfilade
autoload -U +X bashcompinit && bashcompinit
${bash(table)}`;

export const completion: AddCommand = (program) => {
  program
    .command('completion')
    .description('print the completion script for a shell')
    .addArgument(new Argument('<shell>', 'shell: bash or zsh').choices(['bash', 'zsh']))
    .addHelpText(
      'after',
      examples('source <(enfilade completion bash)', 'enfilade completion zsh > ~/.zfunc/_enfilade'),
    )
    .action((shell: 'bash' | 'zsh') => {
      process.stdout.write({ bash, zsh }[shell](completionWordsOf(program, 'enfilade')));
    });
};
