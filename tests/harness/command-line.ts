import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './run-here.ts';
import { ROOT } from './started-server.ts';

/** What a run of the command line gave. */
export interface Run {
  code: number | null;
  out: string;
  error: string;
}

/** How a command is run. */
export interface RunOptions {
  /** What it reads from standard input; nothing otherwise. */
  input?: string;
  environment?: Record<string, string | undefined>;
  /** Told of the process as soon as it runs. */
  onStart?: (child: ChildProcess) => void;
}

/** What scripts set: nobody is asked, and a server that is away is not waited for. Tests of either unset it. */
const USUAL = { ENFILADE_YES: '1', ENFILADE_WAIT: '0' };

/** Commands of one folder that run at the same time. */
const AT_ONCE = 2;

/** The command line in a folder of its own, with the address and key of a server: as a process, or in the tests' own. */
export class CommandLine {
  /** Where it runs; files that tests write and find. */
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

  /** The real binary. */
  static async in(environment: Record<string, string | undefined>): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), 'enfilade-cli-test-')), environment, false);
  }

  /** The same commands in this process, where what a command does is the point and not how it starts; as a process where a test asks for it. */
  static async here(environment: Record<string, string | undefined>): Promise<CommandLine> {
    return new CommandLine(await mkdtemp(join(tmpdir(), 'enfilade-cli-test-')), environment, true);
  }

  /** Runs a command to its end. Processes that are begun together run two at a time, in their order. */
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
    // A command that does not read what it is sent has ended for another reason, which its output tells.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    onStart?.(child);
    return new Promise((resolve) => child.on('close', (code) => resolve({ ...run, code })));
  }

  /**
   * Runs the real binary on a terminal of its own (`script` of util-linux makes it), where it is asked and answers.
   * @param answers what is typed when the terminal shows each question, in their order; Ctrl-C as \u0003
   * @returns all that the terminal showed
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

  /** Runs a command that must succeed. Gives its standard output. */
  async done(...args: string[]): Promise<string> {
    const { code, out, error } = await this.run(args);
    if (code !== 0) throw new Error(`enfilade ${args.join(' ')} ended with ${code}: ${error}${out}`);
    return out;
  }

  /** Runs a command that must succeed and prints JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  async json(...args: string[]): Promise<any> {
    return JSON.parse(await this.done(...args, '--json'));
  }

  /** Writes a file into the folder. Gives its path. */
  async file(name: string, content: string | Uint8Array): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, content);
    return path;
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
