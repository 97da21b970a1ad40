import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { usageError } from '../failure.ts';

/**
 * Asks for a secret without echo; without a terminal, it reads the first line of standard input.
 * @param question name of the secret, such as `API key`
 * @throws CliError if the input is empty
 */
export async function askSecret(question: string): Promise<string> {
  const { isTTY } = process.stdin;
  if (isTTY) process.stderr.write(`Enter the ${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTTY });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    // The line reader intercepts Ctrl-C; it must still end the command.
    lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  });
  lines.close();
  if (isTTY) process.stderr.write('\n');
  if (!answer.trim())
    throw usageError(`The ${question} is missing.`, 'Enter it, or pass it on standard input: < file.');
  return answer.trim();
}

/** Asks for a line of text on a terminal; empty if the input ends. */
export async function askText(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // The line reader intercepts Ctrl-C; it must still end the command.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''));
    void lines.question(question).then(resolve);
  });
  lines.close();
  return answer;
}
