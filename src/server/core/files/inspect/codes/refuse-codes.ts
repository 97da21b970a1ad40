import { ApiError } from '../../../../../contract/errors.ts';

/** The field of the form that a file of codes comes in. */
export const CODES_FIELD = 'access_tokens_file';

/** Refuses a file of codes. */
export const refuseCodes = (code: 'invalid' | 'bad_file' | 'too_large', ...texts: string[]): ApiError =>
  new ApiError(code, { [CODES_FIELD]: texts });
