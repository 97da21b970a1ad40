import { showNotification, showProblem, showProblemText } from '../../ui/notifications.ts';
import { doWithEach } from './do-with-each.ts';

/** Something that entries of a list are, or are not. */
export interface Switch {
  /** Switches one entry. @returns false where it is so already */
  set(id: number, on: boolean): Promise<unknown>;
  /** Shows how they are now. */
  reload(): Promise<void>;
  /** What is said: of how many that were switched, such as "2 users deactivated.", and where all were so already. */
  words(on: boolean, count: number): string;
}

/**
 * Switches entries one after another, and offers how they were: those that were so already are left alone by Undo, too.
 * @returns why some stayed as they were, as sentences
 */
export async function switchMany(ids: readonly number[], on: boolean, wanted: Switch): Promise<string[]> {
  const { done, problems } = await doWithEach(ids, (id) => wanted.set(id, on));
  await wanted.reload();
  const undo = async () => {
    for (const problem of await switchMany(done, !on, wanted)) showProblemText(problem);
  };
  const text = wanted.words(on, done.length);
  if (done.length > 0) showNotification(text, { label: 'Undo', act: () => void undo().catch(showProblem) });
  else if (problems.length === 0) showNotification(text);
  return problems;
}
