import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CallContext } from './call-context.ts';
import type { Form } from './multipart.ts';

/** Runs public calls for forms of pages without scripts, with the limits of the API. */
export interface PublicCalls {
  /** The context of a visitor's call. @param token of the visit, if the room needs one */
  contextOf(request: FastifyRequest, reply: FastifyReply, token: string | null): CallContext;
  /**
   * Reads a form. @param names of the fields that accept a file @param schema of the other fields
   * @throws ApiError
   */
  readForm(request: FastifyRequest, names: readonly string[], schema: z.ZodType): Promise<Form>;
}
