import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showProblem } from '../../ui/notifications.ts';

/**
 * Asks before something is removed for good, and says what went wrong.
 * @param question what is removed, and what goes with it
 * @param remove removes it
 */
export async function confirmRemoval(
  question: { title: string; text: string },
  remove: () => Promise<unknown>,
): Promise<void> {
  if (await confirm({ ...question, action: 'Remove', destroys: true })) await remove().catch(showProblem);
}
