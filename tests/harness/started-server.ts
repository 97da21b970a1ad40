import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { METRICS_TOKEN } from './metrics-token.ts';

/** Root of the repository. */
export const ROOT = join(import.meta.dirname, '../..');

interface StartOptions {
  root?: string;
  node?: string;
  flags?: readonly string[];
}

/** A server in a process of its own, started from the command line. */
export class StartedServer {
  readonly #child: ChildProcess;
  /** Its whole output. */
  output = '';
  #log = '';
  readonly ended: Promise<number | null>;

  /**
   * @param root folder of the sources
   * @param node another Node
   * @param flags arguments of the server
   */
  constructor(
    environment: Record<string, string>,
    { root = ROOT, node = process.execPath, flags = ['--no-build'] }: StartOptions = {},
  ) {
    this.#child = spawn(node, [join(root, 'src/server/main.ts'), ...flags], {
      cwd: root,
      env: {
        ...{ PATH: process.env.PATH, PORT: '0', DEMO: '0', CHROMIUM: 'off', OPTIMIZE_MEDIA: '0', METRICS_TOKEN },
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout!.on('data', (text: Buffer) => {
      this.#log += text;
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.on('data', (text: Buffer) => {
        this.output += text;
      });
    this.ended = new Promise((resolve) => this.#child.on('exit', resolve));
  }

  /** Lines of its standard output, each parsed from JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: log lines have fields of every kind.
  lines(): any[] {
    return this.#log
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }

  /** The log line with its address, once it listens. */
  get greeting(): { address: string; email: string; password?: string } | undefined {
    return this.lines().find(({ admin }) => admin);
  }

  /** Waits until the server listens. @returns its URL */
  async address(): Promise<string> {
    for (;;) {
      const found = this.greeting?.address;
      if (found) return found;
      const code = await Promise.race([
        this.ended,
        new Promise<'waits'>((resolve) => setTimeout(resolve, 20, 'waits')),
      ]);
      if (code !== 'waits') throw new Error(`It ended with ${code}: ${this.output}`);
    }
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Suspends the process until `goOn`, so that requests wait. */
  hold(): void {
    this.#child.kill('SIGSTOP');
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  /** Requests a shutdown. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  /** Kills it immediately. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }
}
