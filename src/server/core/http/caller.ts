import type { FastifyRequest } from 'fastify';

/** Who made a request; null where that is not known. */
export interface Caller {
  userId: number | null;
  organizationId: number | null;
}

const NOBODY: Caller = { userId: null, organizationId: null };

const callers = new WeakMap<FastifyRequest, Caller>();

/** The caller of a request, for log and traces. */
export const callerOf = (request: FastifyRequest): Caller => callers.get(request) ?? NOBODY;

/** Records the caller of a request. */
export function noteCaller(request: FastifyRequest, caller: Caller): void {
  callers.set(request, caller);
}
