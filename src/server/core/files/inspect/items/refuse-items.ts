import { ApiError } from '../../../../../contract/errors.ts';

/** Form field of an import file. */
export const ITEMS_FIELD = 'items_file';

/** The error that rejects an import file. */
export const refuseItems = (code: 'bad_file' | 'too_large' | 'invalid', text: string): ApiError =>
  new ApiError(code, { [ITEMS_FIELD]: [text] });
