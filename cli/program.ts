import { Command } from 'commander';
import { examples } from './command.ts';
import { commands } from './commands.ts';
import { version } from './version.ts';

/** The whole command line, with options, help and examples. Nothing runs before parsing. */
export function createProgram(): Command {
  const program = new Command('enfilade')
    .description('Manage an Enfilade server: rooms, structures, access tokens, templates, media and users.')
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
  ENFILADE_URL   URL of the server, such as https://rooms.example.com
  ENFILADE_KEY   API key (Settings, API keys) or session token; enfilade login stores both in a file instead
  ENFILADE_YES   1 to skip confirmations, like --yes
  ENFILADE_WAIT  seconds to wait for a server that restarts; 75 by default

Exit codes:
  0  success            1  invalid input, or problems found
  2  incorrect usage    3  network or server error, or missing permission    130  stopped with Ctrl-C`,
    );
  for (const add of commands) add(program);
  return program;
}
