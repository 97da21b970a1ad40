import { ApiError, type Messages } from '../../../contract/errors.ts';
import type { Database } from '../../core/db/database.ts';
import { findFiles } from './files-repository.ts';

/** A file id in a request: the field that holds it, and the kinds of file that it may name. */
export interface FileUse {
  field: string;
  id: number | null;
  kinds: readonly string[];
}

/**
 * Holds file ids against the media library of the organization.
 * @throws ApiError invalid, naming every field whose file does not exist or is of another kind
 */
export async function checkFiles(db: Database, organizationId: number, uses: readonly FileUse[]): Promise<void> {
  const files = await findFiles(
    db,
    organizationId,
    uses.map(({ id }) => id),
  );
  const msg: Messages = {};
  for (const { field, id, kinds } of uses) {
    if (id === null) continue;
    const file = files.get(id);
    if (!file) msg[field] = ['File not found; it may have been deleted. Choose another one.'];
    else if (kinds.length === 0) msg[field] = ['No file can be used here.'];
    else if (!kinds.includes(file.type)) msg[field] = [`A file of type ${kinds.join(' or ')} is needed here.`];
  }
  if (Object.keys(msg).length > 0) throw new ApiError('invalid', msg);
}
