import type { AccessAnswer, LoginReason } from '../../../engine/machines/entry.ts';
import type { PublicEndpoint } from '../../contract/entities.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { say, sayError } from '../texts/say.ts';
import type { Arrival } from '../visit/visit-data.ts';

/** Milliseconds after which a question is given up. */
const TIMEOUT = 10_000;

/** What a visitor asks with. */
export interface AccessQuestion {
  /** Public path of the structure. */
  path: string;
  /** Access token, when one has just been entered. */
  code: string | null;
  /** Token of a visit that may still go on. */
  token: string | null;
}

/** What came back: the machine's answer, and with it the structure where access is given. */
export interface Access {
  answer: AccessAnswer;
  arrival?: Arrival;
}

/** The reason why a code opens nothing, as far as the server tells it. */
function reasonOf({ reason }: Partial<ErrorBody>, code: string | null): LoginReason {
  if (reason) return reason;
  return code === null ? 'code_required' : 'wrong_code';
}

/**
 * Asks for access to a structure.
 * @throws Error with a sentence for visitors when the server cannot be reached or refuses for another reason
 */
export async function askAccess({ path, code, token }: AccessQuestion): Promise<Access> {
  const asked = performance.now();
  let response: Response;
  try {
    response = await fetch(`/api/v1/endpoints${path}`, {
      signal: AbortSignal.timeout(TIMEOUT),
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(code !== null && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ access_token: code, after_login: true }),
      }),
    });
  } catch {
    throw new Error(say('notReached'));
  }
  const at = (asked + performance.now()) / 2;
  const body = await response.json().catch(() => null);
  if (response.ok) {
    const endpoint: PublicEndpoint = body.data;
    const { current_time, opens_at } = endpoint;
    return {
      arrival: { endpoint, at },
      answer: { status: 200, now: current_time, startsAt: opens_at, token: body.token ?? null },
    };
  }
  if (response.status === 401) return { answer: { status: 401 } };
  if (response.status === 400) return { answer: { status: 400, reason: reasonOf(body ?? {}, code) } };
  throw new Error(sayError(body, 'notOpened'));
}
