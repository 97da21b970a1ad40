import type { AccessAnswer, LoginReason } from '../../../engine/machines/entry.ts';
import type { PublicEndpoint } from '../../contract/entities.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { say, sayError } from '../texts/say.ts';
import type { Arrival } from '../visit/visit-data.ts';

/** Request timeout in milliseconds. */
const TIMEOUT = 10_000;

/** An access request. */
export interface AccessQuestion {
  /** Public path of the structure. */
  path: string;
  /** Access token just entered. */
  code: string | null;
  /** Token of an earlier visit. */
  token: string | null;
}

/** The state machine's result, with the structure if access is granted. */
export interface Access {
  answer: AccessAnswer;
  arrival?: Arrival;
}

/** Why a token was rejected, as far as the server says. */
function reasonOf({ reason }: Partial<ErrorBody>, code: string | null): LoginReason {
  if (reason) return reason;
  return code === null ? 'code_required' : 'wrong_code';
}

/**
 * Requests access to a structure.
 * @throws Error with a message for visitors if the server is unreachable or refuses for another reason
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
