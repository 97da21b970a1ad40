import { ApiError, type ErrorCode, type Messages } from '../../../../contract/errors.ts';

/** An error as it travels between threads, which keep of an error no more than its words. */
export type PackedError =
  | { code: ErrorCode; msg: Messages }
  | { message: string; stack: string | undefined; system: { code?: string; syscall?: string } };

/** Makes an error ready to leave its thread: a refusal with its code, or a fault with what the system says of it. */
export function packError(error: unknown): PackedError {
  if (error instanceof ApiError) return { code: error.code, msg: error.msg };
  const { message, stack, code, syscall } = error as NodeJS.ErrnoException;
  return { message, stack, system: { ...(code && { code }), ...(syscall && { syscall }) } };
}

/** The error that was packed. */
export function unpackError(packed: PackedError): Error {
  if ('msg' in packed) return new ApiError(packed.code, packed.msg);
  const { message, stack, system } = packed;
  return Object.assign(new Error(message), { stack }, system);
}
