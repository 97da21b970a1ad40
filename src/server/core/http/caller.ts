import type { FastifyRequest } from 'fastify';

/** Who made a request; null where that is not known. */
export interface Caller {
  userId: number | null;
  organizationId: number | null;
}

const callers = new WeakMap<FastifyRequest, Caller>();

/** The caller of a request, for log and traces. */
export const callerOf = (request: FastifyRequest): Caller =>
  callers.get(request) ?? { userId: null, organizationId: null };

/** Records what is known of a request's caller. */
export function noteCaller(request: FastifyRequest, caller: Partial<Caller>): void {
  callers.set(request, { ...callerOf(request), ...caller });
}
