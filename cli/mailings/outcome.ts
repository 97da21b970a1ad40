import type { Client } from '../../src/contract/client.ts';
import type { Mailing } from '../../src/contract/entities.ts';
import { type Problem, wrongError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { eachEntry } from '../report/pages.ts';

/** Unfinished states in a sentence, and what to do then. */
const STATES = { draft: 'a draft', sending: 'being sent', paused: 'paused' } as const;
const NEXT = {
  draft: 'Open the mailing in the back-office to send it.',
  sending: 'Wait until it is sent, then run the command again.',
  paused: 'Open the mailing in the back-office to resume it.',
  done: 'Open the mailing in the back-office to send them again or mark them as sent.',
} as const;

/** The state of a mailing on one line. */
export function stateLine({ state, problem, counts }: Mailing): string {
  const numbers = Object.entries(counts).filter(([name, count]) => name === 'sent' || count > 0);
  const text = numbers.map(([name, count]) => `${count} ${name}`).join(', ');
  return `${state}: ${text}${problem ? `. ${problem}` : ''}`;
}

/** E-mails that were not delivered, each with the response of the mail server. */
async function problemsOf({ mailings }: Client, id: number): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const state of ['rejected', 'returned', 'uncertain'] as const)
    for await (const { email, answer } of eachEntry((page) =>
      mailings.emails({ params: { id }, query: { ...page, state } }),
    ))
      problems.push({ reason: `${email}: ${state}: ${answer}` });
  return problems;
}

/**
 * Prints the state of a mailing.
 * @throws CliError unless every e-mail was sent, naming those that the mail server didn't accept
 */
export async function printOutcome(client: Client, mailing: Mailing, json: boolean): Promise<void> {
  process.stdout.write(json ? jsonText(mailing) : `Mailing ${mailing.id} ${stateLine(mailing)}\n`);
  const { state, problem, counts } = mailing;
  const { sent, ...others } = counts;
  const left = Object.entries(others).filter(([, count]) => count > 0);
  if (state === 'done' && left.length === 0) return;
  const numbers = left.map(([name, count]) => `${count} ${name}`).join(', ');
  throw wrongError(
    [state !== 'done' && `The mailing is ${STATES[state]}.`, problem, numbers && `${numbers}.`]
      .filter(Boolean)
      .join(' '),
    NEXT[state],
    await problemsOf(client, mailing.id),
  );
}
