import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** A server in a process of its own, and its startup message. */
export interface ServerProcess {
  child: ChildProcess;
  said: Record<string, string>;
}

/** Starts a server and waits for its startup message, a line of JSON with its origin. */
export async function startServer(script: string, ...values: string[]): Promise<ServerProcess> {
  const child = spawn(process.execPath, [script, ...values], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const lines = createInterface(child.stdout!);
  const line = await new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}.`)));
  });
  return { child, said: JSON.parse(line) };
}

/** Memory in bytes after a garbage collection. */
function collected(): NodeJS.MemoryUsage {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // What a first collection frees may hold other objects, such as finalized ones.
  for (let times = 0; times < 3; times++) collect();
  return process.memoryUsage();
}

/** In a server's process: answers questions about its CPU time and its memory. */
export function answerQuestions(): void {
  process.on('message', (asked) => {
    if (asked === 'cpu') process.send!(process.cpuUsage());
    else if (asked === 'memory') process.send!(collected());
  });
}

async function ask<T>({ child }: ServerProcess, question: 'cpu' | 'memory'): Promise<T> {
  const told = new Promise<T>((resolve) => child.once('message', (answer) => resolve(answer as T)));
  child.send(question);
  return told;
}

/** CPU seconds used by a server. */
export async function cpuOf(server: ServerProcess): Promise<number> {
  const { user, system } = await ask<NodeJS.CpuUsage>(server, 'cpu');
  return (user + system) / 1e6;
}

/** Memory of a server in bytes after a garbage collection. */
export const memoryOf = (server: ServerProcess): Promise<NodeJS.MemoryUsage> => ask(server, 'memory');
