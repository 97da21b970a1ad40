import { CommanderError } from 'commander';
import { EXIT, errorText, ownError } from './failure.ts';
import { forgetTemporary } from './io/temporary.ts';
import { createProgram } from './program.ts';

/** Says why a command failed. Gives its exit code. */
export async function reportFailure(error: unknown): Promise<number> {
  // A group without a command has shown its help, which says what is missing.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
  const known = ownError(error) ?? (await import('./as-cli-error.ts')).asCliError(error);
  if (known) {
    process.stderr.write(errorText(known, process.argv.includes('--json')));
    return known.exit;
  }
  process.stderr.write(`enfilade: Something went wrong inside the command. [bug]\n${(error as Error).stack}\n`);
  return EXIT.server;
}

/** Runs the command of `process.argv` to its end; its exit code is the process's. */
export async function runCommand(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = await reportFailure(error);
  } finally {
    forgetTemporary();
  }
}
