import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './run-here.ts';
import { ROOT } from './started-server.ts';

export interface Run {
  code: number | null;
  out: string;
  error: string;
}

export interface RunOptions {
  /** Standard input; empty by default. */
  input?: string;
  environment?: Record<string, string | undefined>;
  /** Called with the process once it runs. */
  onStart?: (child: ChildProcess) => void;
}

/** Usual settings of scripts: no prompts, and no waiting for an unavailable server. Tests of either unset them. */
const USUAL = { ENFILADE_YES: '1', ENFILADE_WAIT: '0' };

/** Maximum number of parallel commands per folder. */
const AT_ONCE = 2;

/** The CLI in a folder of its own, configured for a server; runs as a process or in the tests' own process. */
export class CommandLine {
  /** Working directory, with the files that tests write and read. */
  readonly folder: string;
  readonly #isHere: boolean;
  readonly #environment: Record<string, string | undefined>;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  private constructor(folder: string, environment: Record<string, string | undefined>, isHere: boolean) {
    this.folder = folder;
    this.#environment = environment;
    this.#isHere = isHere;
  }

  /** Runs the real binary. */
  static async in(environment: Record<string, string | undefined>): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), 'enfilade-cli-test-')), environment, false);
  }

  /** Runs commands in this process, for tests of a command's effect; a test can still request a process. */
  static async here(environment: Record<string, string | undefined>): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), 'enfilade-cli-test-')), environment, true);
  }

  /** Runs a command to completion. Concurrent processes run two at a time, in order. */
  async run(args: readonly string[], options: RunOptions = {}): Promise<Run> {
    if (this.#isHere && !options.onStart) {
      const { input = '', environment } = options;
      return runHere(args, { folder: this.folder, input, environment: { ...this.#all, ...environment } });
    }
    if (this.#running === AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    const run = await this.#runNow(args, options);
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
    return run;
  }

  get #all(): Record<string, string | undefined> {
    return { ...USUAL, XDG_CONFIG_HOME: this.folder, ...this.#environment };
  }

  #runNow(args: readonly string[], { input, environment, onStart }: RunOptions): Promise<Run> {
    const child = spawn(process.execPath, [join(ROOT, 'cli/enfilade.js'), ...args], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, ...this.#all, ...environment },
      stdio: 'pipe',
    });
    const run: Run = { code: null, out: '', error: '' };
    child.stdout.on('data', (text: Buffer) => {
      run.out += text;
    });
    child.stderr.on('data', (text: Buffer) => {
      run.error += text;
    });
    // A command that ends without reading its input failed for another reason, which its output shows.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    onStart?.(child);
    return new Promise((resolve) => child.on('close', (code) => resolve({ ...run, code })));
  }

  /**
   * Runs the real binary on a pseudo-terminal (`script` of util-linux), where it asks questions.
   * @param answers input for each question, in order; Ctrl-C as \u0003
   * @returns the terminal's whole output
   */
  async onTerminal(
    args: readonly string[],
    answers: readonly (readonly [question: string, answer: string])[],
  ): Promise<Pick<Run, 'code'> & { shown: string }> {
    const quoted = [process.execPath, join(ROOT, 'cli/enfilade.js'), ...args].map(
      (part) => `'${part.replaceAll("'", "'\\''")}'`,
    );
    const child = spawn('script', ['--quiet', '--return', '--command', quoted.join(' '), '/dev/null'], {
      cwd: this.folder,
      env: { PATH: process.env.PATH, TERM: 'xterm', ...this.#all },
    });
    const left = [...answers];
    let shown = '';
    let from = 0;
    child.stdout.on('data', (text: Buffer) => {
      shown += text;
      const [next] = left;
      const at = next ? shown.indexOf(next[0], from) : -1;
      if (!next || at < 0) return;
      from = at + next[0].length;
      left.shift();
      child.stdin.write(next[1]);
    });
    child.stdin.on('error', () => {});
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, shown })));
  }

  /** Runs a command that must succeed. @returns its standard output */
  async done(...args: string[]): Promise<string> {
    const { code, out, error } = await this.run(args);
    if (code !== 0) throw new Error(`enfilade ${args.join(' ')} ended with ${code}: ${error}${out}`);
    return out;
  }

  /** Runs a command that must succeed and prints JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape.
  async json(...args: string[]): Promise<any> {
    return JSON.parse(await this.done(...args, '--json'));
  }

  /** Writes a file into the folder. @returns its path */
  async file(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
