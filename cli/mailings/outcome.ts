import type { Client } from '../../src/contract/client.ts';
import type { Mailing } from '../../src/contract/entities.ts';
import { type Problem, wrongError } from '../failure.ts';
import { jsonText } from '../io/write-output.ts';
import { eachEntry } from '../report/pages.ts';

/** The state of a mailing on one line. */
export function stateLine({ state, problem, counts }: Mailing): string {
  const numbers = Object.entries(counts).filter(([name, count]) => name === 'sent' || count > 0);
  const text = numbers.map(([name, count]) => `${count} ${name}`).join(', ');
  return `${state}: ${text}${problem ? `. ${problem}` : ''}`;
}

/** E-mails that were not delivered, each with the response of the mail server. */
async function problemsOf({ mailings }: Client, id: number): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const state of ['rejected', 'uncertain'] as const)
    for await (const { email, answer } of eachEntry((page) =>
      mailings.emails({ params: { id }, query: { ...page, state } }),
    ))
      problems.push({ reason: `${email}: ${state}: ${answer}` });
  return problems;
}

/**
 * Prints the state of a mailing.
 * @throws CliError naming the e-mails that were not delivered
 */
export async function printOutcome(client: Client, mailing: Mailing, json: boolean): Promise<void> {
  process.stdout.write(json ? jsonText(mailing) : `Mailing ${mailing.id} ${stateLine(mailing)}\n`);
  const { rejected, uncertain } = mailing.counts;
  if (rejected + uncertain === 0) return;
  throw wrongError(
    `${rejected} rejected, ${uncertain} uncertain.`,
    'Open the mailing in the back-office to send them again or mark them as sent.',
    await problemsOf(client, mailing.id),
  );
}
