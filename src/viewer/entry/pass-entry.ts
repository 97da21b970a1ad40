import { createActor, fromPromise } from 'xstate';
import {
  type AccessAnswer,
  type AccessRequest,
  entryMachine,
  type LoginReason,
  secondsUntilStart,
} from '../../../engine/machines/entry.ts';
import { formatHours } from '../../../engine/scene/timed/time-format.ts';
import type { PublicEndpoint } from '../../contract/entities.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { tokenFromFragment } from '../../contract/token-link.ts';
import type { StoredText } from '../../ui/storage.ts';
import { languageQuery } from '../address/page-place.ts';
import { onOtherWords, say as sayEarly, sayError } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import { type Arrival, readVisitData } from '../visit/visit-data.ts';
import type { VisitState } from '../visit/visit-store.ts';
import { type DoorSign, dateText, EntryPanel, REASONS, timeText } from './entry-panel.ts';

/** Request timeout in milliseconds. */
const TIMEOUT = 10_000;

/** An access request. */
interface AccessQuestion {
  /** Public path of the structure. */
  path: string;
  /** Access token just entered. */
  code: string | null;
  /** Token of an earlier visit. */
  token: string | null;
}

/** The state machine's result, with the structure if access is granted. */
interface Access {
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
async function askAccess({ path, code, token }: AccessQuestion): Promise<Access> {
  const asked = performance.now();
  let response: Response;
  try {
    response = await fetch(`/api/v1/endpoints${path}${languageQuery()}`, {
      signal: AbortSignal.timeout(TIMEOUT),
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(code !== null && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ access_token: code, after_login: true }),
      }),
    });
  } catch {
    throw new Error(sayEarly('notReached'));
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

/** Countdown interval in milliseconds. */
const MEASURE = 1000;

/** Removes the access token from the URL, so that it is not shared or reused. */
function takeLinkToken(): string | null {
  const token = tokenFromFragment(location.hash);
  if (token !== null) history.replaceState(history.state, '', location.pathname + location.search);
  return token;
}

/** A requested entry. */
export interface Entry {
  /** Public path of the structure. */
  path: string;
  /** The visit state, with settings and the current room, if any. */
  state: VisitState;
  isProtected: boolean;
  /** Stored token of the visit. */
  stored: StoredText;
  /** Called if the visitor declines; undefined if there is no room to return to. */
  stay: (() => void) | undefined;
}

/** Whether the visitor's access to the current room has ended. */
function hasEnded({ endpoint, arrivedAt }: VisitState): boolean {
  if (endpoint?.access_ends_at == null || arrivedAt === undefined) return false;
  return endpoint.current_time + (performance.now() - arrivedAt) / 1000 >= endpoint.access_ends_at;
}

/** Organization and logo: of the current room, or of the page. */
function doorSign({ settings, endpoint, flags }: VisitState): DoorSign {
  const template = endpoint?.room?.template;
  const house = template
    ? {
        logo: template.logo_file?.url ?? (settings.logo_url || null),
        color: template.font_color ?? settings.font_color,
      }
    : (readVisitData().house ?? { logo: settings.logo_url || null, color: settings.font_color });
  return { name: settings.name, house, hasLogo: !flags.hideLogo };
}

/**
 * Takes a visitor through the token form and countdown of a structure. The panel stays until entry is allowed; the click to
 * enter, if needed, comes later.
 * @param signal aborts, such as when the visitor goes elsewhere
 * @returns the structure and its room at the time of entry
 */
export function passEntry({ path, state, isProtected, stored, stay }: Entry, signal: AbortSignal): Promise<Arrival> {
  let arrival: Arrival | undefined;
  const access = fromPromise<AccessAnswer, AccessRequest>(async ({ input }) => {
    const question = input.afterLogin ? { code: input.token, token: null } : { code: null, token: input.token };
    const result = await askAccess({ path, ...question });
    arrival = result.arrival;
    return result.answer;
  });
  const machine = entryMachine.provide({
    actors: { access },
    actions: { storeToken: (_, token) => stored.set(token), clearToken: () => stored.set(null) },
  });
  const actor = createActor(machine, { input: { isProtected, token: stored.get() } });
  const panel = new EntryPanel(doorSign(state), stay);
  let linked = takeLinkToken();
  const ended = hasEnded(state) ? say('accessEnded') : '';
  return new Promise((resolve, reject) => {
    // The state machine counts ticks, which stop while the page sleeps, so measure elapsed time separately.
    const timer = setInterval(() => {
      if (!arrival) return;
      const passed = (performance.now() - arrival.at) / 1000;
      actor.send({ type: 'time', now: arrival.endpoint.current_time + passed });
    }, MEASURE);
    const end = () => {
      clearInterval(timer);
      stopSaying();
      actor.stop();
      panel.close();
    };
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
    const show = (now: ReturnType<typeof actor.getSnapshot>) => {
      const { context } = now;
      const sentence = REASONS[context.reason ?? 'code_required'];
      if (linked && now.matches({ login: 'asking' })) {
        const code = linked;
        linked = null;
        actor.send({ type: 'code.entered', code });
      } else if (now.matches('in_room')) {
        end();
        resolve(arrival!);
      } else if (now.matches('login')) {
        panel.show({
          kind: 'login',
          sentence:
            context.reason === 'wrong_code' && sentence ? say(sentence) : ended || (sentence ? say(sentence) : ''),
          isBusy: now.matches({ login: 'checking' }),
          onCode: (code) => actor.send({ type: 'code.entered', code }),
        });
      } else if (now.matches('countdown')) {
        panel.show({
          kind: 'countdown',
          name: arrival?.endpoint.name ?? '',
          language: arrival?.endpoint.name_language,
          date: dateText(context.startsAt!),
          time: timeText(context.startsAt!),
          left: formatHours(secondsUntilStart(context)),
        });
      } else if (now.matches('failed')) {
        panel.show({ kind: 'failed', sentence: context.error ?? '', onRetry: () => actor.send({ type: 'retry' }) });
      }
    };
    actor.subscribe(show);
    const stopSaying = onOtherWords(() => show(actor.getSnapshot()));
    actor.start();
  });
}
