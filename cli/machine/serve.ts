import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { examples } from '../command.ts';
import { environmentOf, type Place, withPlace } from './place.ts';

const SCRIPT = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));

interface Options extends Place {
  port?: string;
  host?: string;
}

export const serve = withPlace((program) =>
  program
    .command('serve')
    .description('run the server until it is stopped; configured by environment variables')
    .option('--port <number>', 'port to listen on; 0 for any free port')
    .option('--host <address>', 'address to listen on; 0.0.0.0 for all interfaces')
    .addHelpText(
      'after',
      examples('enfilade serve', 'enfilade serve --port 9000 --data ./gallery', 'DEMO=0 enfilade serve --host 0.0.0.0'),
    )
    .action(async ({ port, host, ...place }: Options) => {
      const env = {
        ...environmentOf(place),
        ...(port !== undefined && { PORT: port }),
        ...(host !== undefined && { HOST: host }),
      };
      const server = spawn(process.execPath, [SCRIPT], { stdio: 'inherit', env });
      // The server finishes requests in flight before it stops; wait for that.
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
        process.removeAllListeners(signal);
        process.on(signal, () => server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
      }
      process.exitCode = await new Promise<number>((resolve) =>
        server.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!])),
      );
    }),
);
