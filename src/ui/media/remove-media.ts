import type { Client } from '../../contract/client.ts';
import type { Media } from '../../contract/entities.ts';
import { ApiError } from '../../contract/errors.ts';
import { confirm } from '../confirmation/confirmation-store.ts';

/**
 * Removes a file from the library after asking; once more if it is in use.
 * @returns whether it was removed
 * @throws ApiError
 */
export async function removeMedia({ media }: Client, { id, name }: Media): Promise<boolean> {
  const question = {
    title: `Remove “${name}”?`,
    text: 'The file will be removed from the library. This cannot be undone.',
    action: 'Remove',
    destroys: true,
  };
  if (!(await confirm(question))) return false;
  try {
    await media.remove({ params: { id } });
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'in_use')) throw error;
    const text = `${Object.values(error.msg).flat().join(' · ')}. It will be missing there.`;
    if (!(await confirm({ ...question, title: `“${name}” is in use. Remove it anyway?`, text }))) return false;
    await media.remove({ params: { id }, query: { force: '1' } });
  }
  return true;
}
