import { ApiError } from '../../../../../contract/errors.ts';

/** Form field of a file of codes. */
export const CODES_FIELD = 'access_tokens_file';

/** The error that rejects a file of codes. */
export const refuseCodes = (code: 'invalid' | 'bad_file' | 'too_large', ...texts: string[]): ApiError =>
  new ApiError(code, { [CODES_FIELD]: texts });
