import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { showProblem } from '../../ui/notifications.ts';

/**
 * Asks before a removal and shows its errors.
 * @param question what is removed and the consequences
 * @param remove removes it
 */
export async function confirmRemoval(
  question: { title: string; text: string },
  remove: () => Promise<unknown>,
): Promise<void> {
  if (await confirm({ ...question, action: 'Remove', destroys: true })) await remove().catch(showProblem);
}
