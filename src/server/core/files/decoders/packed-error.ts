import { ApiError, type ErrorCode, type Messages } from '../../../../contract/errors.ts';

/** An error in serializable form: threads pass on nothing but an error's message. */
export type PackedError =
  | { code: ErrorCode; msg: Messages }
  | { message: string; stack: string | undefined; system: { code?: string; syscall?: string } };

/** Serializes an error: an API error with its code, or a failure with its system error code. */
export function packError(error: unknown): PackedError {
  if (error instanceof ApiError) return { code: error.code, msg: error.msg };
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  return { message, stack, system: { ...(code && { code }), ...(syscall && { syscall }) } };
}

/** Deserializes an error. */
export function unpackError(packed: PackedError): Error {
  if ('msg' in packed) return new ApiError(packed.code, packed.msg);
  const { message, stack, system } = packed;
  return Object.assign(new Error(message), { stack }, system);
}
