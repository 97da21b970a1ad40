import { CommanderError } from 'commander';
import { EXIT, errorText, ownError } from './failure.ts';
import { forgetTemporary } from './io/temporary.ts';
import { createProgram } from './program.ts';
import { stoppedText } from './stopping.ts';

const asJson = process.argv.includes('--json');

/** Says why the command failed. Gives its exit code. */
async function report(error: unknown): Promise<number> {
  // A group without a command has shown its help, which says what is missing.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
  if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
  const known = ownError(error) ?? (await import('./as-cli-error.ts')).asCliError(error);
  if (known) {
    process.stderr.write(errorText(known, asJson));
    return known.exit;
  }
  process.stderr.write(`enfilade: Something went wrong inside the command. [bug]\n${(error as Error).stack}\n`);
  return EXIT.server;
}

// Whoever reads the output may have read enough.
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  forgetTemporary();
  process.exit(error.code === 'EPIPE' ? EXIT.done : await report(error));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    forgetTemporary();
    process.stderr.write(`\nenfilade: Stopped. ${stoppedText()} [stopped]\n`);
    process.exit(EXIT.stopped);
  });

try {
  await createProgram().parseAsync();
} catch (error) {
  process.exitCode = await report(error);
} finally {
  forgetTemporary();
}
