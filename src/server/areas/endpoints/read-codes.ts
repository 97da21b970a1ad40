import { readCodes } from '../../jobs/imports/read-codes.ts';
import type { CodeFile } from '../../storage/inspect/codes/code-line.ts';
import type { Upload } from '../../storage/upload.ts';
import type { CallContext } from '../../store/call-context.ts';
import { requireRight } from '../../store/users/rights.ts';

/**
 * The access tokens that come with a structure.
 * @throws ApiError forbidden where the caller may not add any
 */
export async function codesIn(context: CallContext, file: Upload | undefined): Promise<CodeFile | undefined> {
  if (!file) return undefined;
  // Browsers send a field without a file as an empty one without a name.
  if (file.name !== '') requireRight(context, 'access_tokens', 'create');
  const codes = await readCodes(context, file);
  try {
    if (codes) requireRight(context, 'access_tokens', 'create');
  } catch (error) {
    await codes?.discard();
    throw error;
  }
  return codes;
}
