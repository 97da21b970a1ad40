import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The repository. */
export const ROOT = join(import.meta.dirname, '../..');

/** A server in a process of its own, as a person starts it. */
export class StartedServer {
  readonly #child: ChildProcess;
  output = '';
  readonly ended: Promise<number | null>;

  constructor(environment: Record<string, string>) {
    this.#child = spawn(process.execPath, [join(ROOT, 'src/server/start.ts'), '--no-build'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH, PORT: '0', DEMO: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (text: Buffer) => {
        this.output += text;
      });
    this.ended = new Promise((resolve) => this.#child.on('exit', resolve));
  }

  /** Address of the server, once it listens and has said all that it says: an empty line ends it. */
  async address(): Promise<string> {
    for (;;) {
      const found = /(http:\/\/\S+)\/admin\n[\s\S]*\n\n$/.exec(this.output)?.[1];
      if (found) return found;
      const code = await Promise.race([
        this.ended,
        new Promise<'waits'>((resolve) => setTimeout(resolve, 20, 'waits')),
      ]);
      if (code !== 'waits') throw new Error(`It ended with ${code}: ${this.output}`);
    }
  }

  /** Number of its process. */
  get pid(): number {
    return this.#child.pid!;
  }

  /** Holds it still, so that whatever reaches it waits, until `goOn`. */
  hold(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  /** Tells it to stop. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  /** Ends it in the middle of whatever it does. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
