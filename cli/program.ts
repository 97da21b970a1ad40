import { Command } from 'commander';
import { examples } from './command.ts';
import { commands } from './commands.ts';
import { version } from './version.ts';

/** The whole command line, with options, help and examples. Nothing runs before parsing. */
export function createProgram(): Command {
  const program = new Command('enfilade')
    .description('Scripts an Enfilade server: rooms, structures, access tokens, templates, media and users.')
    .version(version, '--version', 'Show the version.')
    .helpOption('-h, --help', 'Show this help.')
    // Parser errors are reported like all other errors.
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText(
      'after',
      `${examples(
        'enfilade login --url https://rooms.example.com',
        'enfilade rooms list',
        "enfilade rooms import 'rooms/*.json' --dry-run",
        'enfilade rooms import --help                     # examples of one command',
      )}

Environment:
  ENFILADE_URL   address of the server, such as https://rooms.example.com
  ENFILADE_KEY   API key (Settings, API keys) or session token; enfilade login keeps both in a file instead
  ENFILADE_YES   1 does without asking what asks first, as --yes does
  ENFILADE_WAIT  seconds for which a server that is starting again is waited for; 75 unless given

Exit codes:
  0  done      1  something is wrong with what was given or looked at
  2  usage     3  the network or the server failed, or the key may not do this     130  stopped with Ctrl-C`,
    );
  for (const add of commands) add(program);
  return program;
}
