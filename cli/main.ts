import { EXIT } from './failure.ts';
import { forgetTemporary } from './io/temporary.ts';
import { reportFailure, runCommand } from './run-command.ts';
import { stoppedText } from './stopping.ts';

// The reader of a pipe may close it early.
process.stdout.on('error', async (error: NodeJS.ErrnoException) => {
  forgetTemporary();
  process.exit(error.code === 'EPIPE' ? EXIT.done : await reportFailure(error));
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    forgetTemporary();
    process.stderr.write(`\nenfilade: Stopped. ${stoppedText()} [stopped]\n`);
    process.exit(EXIT.stopped);
  });

await runCommand();
