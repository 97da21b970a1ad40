import { ApiError } from '../../../../../contract/errors.ts';

/** The field of the form that a file of things to import comes in. */
export const ITEMS_FIELD = 'items_file';

/** Refuses a file of things to import. */
export const refuseItems = (code: 'bad_file' | 'too_large' | 'invalid', text: string): ApiError =>
  new ApiError(code, { [ITEMS_FIELD]: [text] });
