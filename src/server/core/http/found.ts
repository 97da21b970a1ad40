import { ApiError } from '../../../contract/errors.ts';

/** The row that a query found. @throws ApiError not_found if there is none */
export function orNotFound<Row extends object>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('not_found');
  return row;
}
