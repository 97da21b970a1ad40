import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

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

/** CPU seconds used by a server. */
export async function cpuOf({ child }: ServerProcess): Promise<number> {
  const told = new Promise<NodeJS.CpuUsage>((resolve) => child.once('message', (usage) => resolve(usage as never)));
  child.send('cpu');
  const { user, system } = await told;
  return (user + system) / 1e6;
}

export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
