import { Readable } from 'node:stream';
import { runCommand } from '../../cli/run-command.ts';
import type { Run } from './command-line.ts';

/** Environment of a command. */
interface Surroundings {
  folder: string;
  input: string;
  environment: Record<string, string | undefined>;
}

/** Captures the output to a stream of this process. @returns a function that restores the stream */
function take(stream: NodeJS.WriteStream, keep: (text: string) => void): () => void {
  const { write } = stream;
  stream.write = ((chunk: string | Uint8Array) => {
    keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    return true;
  }) as typeof write;
  return () => {
    stream.write = write;
  };
}

/** Input that ends asynchronously after its data, as a process's does: a second read returns the end. */
async function* bringing(input: string): AsyncGenerator<Buffer> {
  if (input !== '') yield Buffer.from(input);
  await new Promise(setImmediate);
}

/** Replaces this process's environment with a command's. @returns a function that restores it */
function surround(args: readonly string[], { folder, input, environment }: Surroundings): () => void {
  const { env, argv, exitCode } = process;
  const cwd = process.cwd();
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin')!;
  const own = Object.entries(env).filter(([name]) => !name.startsWith('ENFILADE_'));
  const given = Object.entries({ ...Object.fromEntries(own), ...environment });
  process.env = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  process.argv = ['node', 'enfilade', ...args];
  process.exitCode = undefined;
  process.chdir(folder);
  Object.defineProperty(process, 'stdin', { ...stdin, get: () => commandInput });
  const commandInput = Readable.from(bringing(input));
  return () => {
    Object.defineProperty(process, 'stdin', stdin);
    process.chdir(cwd);
    process.exitCode = exitCode;
    process.argv = argv;
    process.env = env;
  };
}

async function runAlone(args: readonly string[], surroundings: Surroundings): Promise<Run> {
  const run: Run = { code: null, out: '', error: '' };
  const putBack = [
    surround(args, surroundings),
    take(process.stdout, (text) => (run.out += text)),
    take(process.stderr, (text) => (run.error += text)),
  ];
  try {
    await runCommand();
    run.code = Number(process.exitCode ?? 0);
  } finally {
    for (const each of putBack) each();
  }
  return run;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs a CLI command in this process, as `cli/main.ts` does. Calls are serialized, because they share the process. */
export function runHere(args: readonly string[], surroundings: Surroundings): Promise<Run> {
  const run = last.then(() => runAlone(args, surroundings));
  last = run.catch(() => undefined);
  return run;
}
