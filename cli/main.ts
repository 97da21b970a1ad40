import { EXIT } from './failure.ts';
import { forgetTemporary } from './io/temporary.ts';
import { reportFailure, runCommand } from './run-command.ts';
import { stoppedText } from './stopping.ts';

// Whoever reads the output may have read enough.
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
