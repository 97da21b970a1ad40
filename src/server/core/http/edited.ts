import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Call } from '../../../contract/call.ts';
import { ApiError, type Messages } from '../../../contract/errors.ts';
import { CachedResponse } from './cached-response.ts';
import type { CallContext } from './call-context.ts';
import type { Handler, HandlerInput } from './handler.ts';
import { refuseStale } from './stale.ts';

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Schemas of a body's fields. */
function shapeOf(body: z.ZodType | undefined): Record<string, z.ZodType> {
  if (body instanceof z.ZodObject) return body.shape;
  throw new Error('An update requires an object.');
}

/** Runs the call that reads the same data, and serializes its response. */
async function readNow(context: CallContext, read: Handler<Call>, params: Fields): Promise<Fields> {
  // Query options don't affect the editable fields.
  const input = { params, query: {}, body: undefined, file: undefined };
  const result: unknown = await read(context, input as HandlerInput<Call>);
  if (result instanceof CachedResponse) return JSON.parse(Buffer.concat(result.body(undefined)).toString()).data;
  const sent: unknown = JSON.parse(JSON.stringify(result));
  if (!Array.isArray(sent)) return sent as Fields;
  const found = sent.find((entry) => Object.entries(params).every(([name, value]) => entry[name] === value));
  if (!found) throw new ApiError('not_found');
  return found;
}

/** Whether a submitted field equals the current value. Form fields are compared as text. */
function isAsRead(came: unknown, current: unknown, isForm: boolean): boolean {
  if (isDeepStrictEqual(came, current)) return true;
  if (!isForm || typeof came !== 'string') return false;
  if (current === null) return came === '' || came === 'null';
  if (typeof current === 'boolean') return came === String(current) || came === String(Number(current));
  if (typeof current !== 'object') return came === String(current);
  try {
    return isDeepStrictEqual(JSON.parse(came), current);
  } catch {
    return false;
  }
}

/** A call that edits, and the handler of the call that reads the same data. */
interface Editing {
  call: Call;
  read: Handler<Call>;
  context: CallContext;
  params: Fields;
}

/**
 * Removes unchanged fields from a body that was read before, whether they are editable or not. A body with only
 * editable fields stays unchanged.
 * @param came the raw body, unvalidated
 * @throws ApiError stale if the resource has changed since it was read; unknown_field, naming read-only fields that
 * differ
 */
export async function withoutUnchanged({ call, read, context, params }: Editing, came: unknown): Promise<unknown> {
  if (!isObject(came)) return came;
  const shape = shapeOf(call.body);
  if (Object.keys(came).every((name) => Object.hasOwn(shape, name))) return came;
  const current = await readNow(context, read, params);
  const isForm = call.files !== undefined;
  if (typeof came.updated_at === 'string' && typeof current.updated_at === 'string')
    refuseStale(current.updated_at, came.updated_at);
  const moving = new Set(call.edits?.moving);
  const refused: Messages = {};
  const left = Object.entries(came).filter(([name, value]) => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (!Object.hasOwn(current, name)) return true;
    const isSame = isAsRead(value, current[name], isForm);
    // Required fields stay, whatever their value.
    if (field) return name === 'updated_at' || !(isSame && field.safeParse(undefined).success);
    if (!isSame && !moving.has(name)) refused[name] = [`${name} can't be changed.`];
    return false;
  });
  if (Object.keys(refused).length > 0) throw new ApiError('unknown_field', refused);
  return Object.fromEntries(left);
}
