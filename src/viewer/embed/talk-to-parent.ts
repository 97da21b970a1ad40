import type { Element } from '../../../engine/document/element.ts';
import type { SceneEvent } from '../../../engine/scene/scene.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';
import type { EmbedEvent, EmbedPoint, EmbedRequest } from '../../contract/embed-messages.ts';
import { cameraPlace } from '../address/page-place.ts';
import { logProblem } from '../reports/console.ts';
import type { VisitEvent } from '../visit/visit-events.ts';
import type { VisitState, VisitStore } from '../visit/visit-store.ts';
import type { Visit } from '../visit.ts';
import { RefusedError, runCommand, sentenceOf } from './run-command.ts';

/** Maximum lengths of names and dialog HTML, in characters. */
const MAX_REQUEST_TEXT = { name: 500, content: 200_000 };

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const isText = (value: unknown, longest = MAX_REQUEST_TEXT.name): value is string =>
  typeof value === 'string' && value.length <= longest;
const isPoint = (value: unknown): value is EmbedPoint =>
  isObject(value) && isNumber(value.x) && isNumber(value.y) && isNumber(value.z);
const isAbsent = (value: unknown) => value === undefined || value === null;

/** Validators of commands, by type. */
const CHECKS: Record<EmbedRequest['type'], (fields: Fields) => boolean> = {
  connect: () => true,
  view_point: ({ id }) => isNumber(id),
  camera: ({ position, target }) =>
    (isPoint(position) || isPoint(target)) && [position, target].every((each) => isAbsent(each) || isPoint(each)),
  'camera.reset': () => true,
  media: ({ element_id, action, value }) =>
    action === 'mute' || action === 'unmute'
      ? isAbsent(element_id) || isNumber(element_id)
      : isNumber(element_id) && (action === 'play' || action === 'pause' || (action === 'seek' && isNumber(value))),
  navigate: ({ slug_one, slug_two }) => isText(slug_one) && slug_one !== '' && (isAbsent(slug_two) || isText(slug_two)),
  modal: ({ url, content, title }) =>
    (isText(url, MAX_REQUEST_TEXT.content) || isText(content, MAX_REQUEST_TEXT.content)) &&
    (isAbsent(title) || isText(title)),
  event: ({ name, data }) => isText(name) && name !== '' && (isAbsent(data) || isObject(data)),
  time: ({ seconds }) => isNumber(seconds),
  consent: ({ hosts, others }) =>
    typeof hosts === 'boolean' ||
    (isObject(hosts) &&
      Object.entries(hosts).every(([host, value]) => isText(host) && typeof value === 'boolean') &&
      (isAbsent(others) || typeof others === 'boolean')),
  texts: ({ texts }) => isObject(texts),
};

/** Required fields of commands, for error messages. */
const NEEDS: Record<EmbedRequest['type'], string> = {
  connect: 'nothing',
  view_point: 'a numeric `id`',
  camera: 'a `position` or a `target`, each with numeric `x`, `y` and `z`',
  'camera.reset': 'nothing',
  media: 'an `action`, and a numeric `element_id` except for mute and unmute; seek needs a numeric `value`',
  navigate: 'a `slug_one`, and may have a `slug_two`',
  modal: 'a `url` or `content`, and may have a `title`',
  event: 'a `name`, and may have an object as `data`',
  time: 'numeric `seconds`',
  consent:
    '`hosts`: true, false, or an object with true or false by host, and `others`, true or false, if it decides about all',
  texts: 'an object `texts`',
};

type MediaSceneEvent = Extract<SceneEvent, { type: `media.${string}`; element_id: number }>;

const isMedia = (event: SceneEvent): event is MediaSceneEvent =>
  event.type.startsWith('media.') && 'element_id' in event;

/** Validation error of a message, for the console. */
class MessageError extends Error {
  /** Request id, if the sender expects a response. */
  readonly request: string | undefined;
  constructor(sentence: string, request?: string) {
    super(sentence);
    this.request = request;
  }
}

/**
 * Parses a message from the embedding page.
 * @param data an object, or its JSON
 * @throws MessageError for invalid messages
 */
function readRequest(data: unknown): EmbedRequest {
  let fields = data;
  if (typeof data === 'string') {
    try {
      fields = JSON.parse(data);
    } catch {
      throw new MessageError('A message that is not JSON.');
    }
  }
  if (!isObject(fields)) throw new MessageError('A message without a type.');
  const type = fields.type ?? fields.channel;
  const request = isText(fields.request) ? fields.request : undefined;
  if (typeof type !== 'string') throw new MessageError('A message without a type.', request);
  if (!Object.hasOwn(CHECKS, type))
    throw new MessageError(`A message of an unknown type: ${type.slice(0, 50)}.`, request);
  if (!CHECKS[type as EmbedRequest['type']](fields))
    throw new MessageError(`\`${type}\` needs ${NEEDS[type as EmbedRequest['type']]}.`, request);
  return { ...fields, type, request } as EmbedRequest;
}

/** Throttle of camera messages in milliseconds. */
const CAMERA_INTERVAL = 250;
/** Maximum console errors for rejected messages. */
const MAX_REJECTIONS = 50;

/** Origin of the embedding page, if known: pages without referrer are unknown. */
function toldOrigin(): string | null {
  const [nearest] = location.ancestorOrigins ?? [];
  if (nearest) return nearest;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}

/** Message channel to the embedding page, if its origin is allowed. */
class ParentTalk {
  /** Undefined without a visit. */
  readonly #visit: Visit | undefined;
  readonly #store: VisitStore;
  /** Target origin of messages; null until known, and then nothing is sent. */
  #parent: string | null;
  #complaints = 0;
  #isReady = false;
  #viewPoint: number | null = null;
  #path: string | undefined;
  /** The room that the visitor has entered. */
  #enteredPath: string | undefined;
  #refusal: VisitState['refusal'] = null;
  #cameraAt = Number.NEGATIVE_INFINITY;
  #cameraTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(store: VisitStore, visit?: Visit) {
    this.#visit = visit;
    this.#store = store;
    const told = toldOrigin();
    this.#parent = told !== null && this.#mayTalk(told) ? told : null;
    this.#path = store.get().endpoint?.path;
    this.#isReady = document.getElementById('room')?.dataset.state === 'ready';
    addEventListener('message', (event) => void this.hear(event));
    visit?.events.subscribe((event) => this.#follow(event));
    store.subscribe(() => this.#followStore());
    this.#sayHow();
  }

  /** Reports whether the room accepts commands. @param isAsked whether to report also while it is loading */
  #sayHow(isAsked = false): void {
    const { refusal } = this.#store.get();
    this.#refusal = refusal;
    if (refusal) this.#send({ type: 'refused', code: refusal.code, message: sentenceOf(refusal) });
    else if (this.#isReady) this.#sayReady();
    else if (isAsked) this.#send({ type: 'loading' });
  }

  /** Allowed by the organization, or same-origin. Opaque origins are neither. */
  #mayTalk(origin: string): boolean {
    if (!/^https?:\/\//.test(origin)) return false;
    return origin === location.origin || this.#store.get().settings.embed_domains.includes(origin);
  }

  #send(event: EmbedEvent): void {
    if (this.#parent !== null) window.parent.postMessage(event, this.#parent);
  }

  #sayReady(): void {
    const { endpoint, viewPoints, consent } = this.#store.get();
    if (!this.#isReady || !endpoint?.room) return;
    const view_points = viewPoints.map(({ id, config }) => ({ id, name: config.name }));
    const { room, path } = endpoint;
    const third_parties = consent?.parties
      .filter(({ uses }) => uses.length > 0)
      .map(({ host, name }) => ({ host, name, allowed: consent.isAllowed(host) }));
    const about = { room_id: room.id, title: room.title, path, view_points };
    this.#send({ type: 'ready', ...about, ...(third_parties && { third_parties }) });
    this.#sayEntered();
  }

  #printError(sentence: string, origin: string): void {
    if (++this.#complaints <= MAX_REJECTIONS) logProblem(sentence, { origin });
  }

  async hear({ data, origin, source }: MessageEvent): Promise<void> {
    if (!this.#mayTalk(origin)) {
      this.#printError('A message from an origin that is not allowed.', origin);
      return;
    }
    let request: string | undefined;
    try {
      const command = readRequest(data);
      request = command.request;
      if (source === window.parent) this.#parent = origin;
      else if (command.type === 'consent')
        throw new Error('Only the embedding page decides about third-party content.');
      if (command.type === 'connect') this.#sayHow(true);
      else if (this.#visit) await runCommand(this.#visit, command);
      else if (this.#refusal) throw new RefusedError(this.#refusal);
      if (request !== undefined) this.#send({ type: 'done', request });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#printError(message, origin);
      if (error instanceof MessageError) request = error.request;
      const code = error instanceof MessageError ? 'invalid' : error instanceof RefusedError ? error.code : 'refused';
      if (request !== undefined) this.#send({ type: 'error', code, message, request });
    }
  }

  #follow(event: VisitEvent): void {
    switch (event.type) {
      case 'ready':
        this.#isReady = true;
        this.#sayReady();
        break;
      case 'moved':
        this.#followCamera(event.pose);
        break;
      case 'scene':
        this.#followMedia(event.event);
        break;
      case 'pressed':
        this.#followPress(event.element);
        break;
      case 'custom':
        this.#send({ type: 'event', name: event.name });
        break;
      case 'consent':
        this.#send({ type: 'consent', hosts: event.hosts });
        break;
      case 'failed':
        this.#send({ type: 'error', message: event.message, element_id: event.element_id });
        break;
      default:
    }
  }

  /** Sent immediately, then at most four times a second, always including the last position. */
  #followCamera(pose: CameraPose): void {
    if (this.#cameraTimer !== undefined) return;
    const wait = Math.max(0, this.#cameraAt + CAMERA_INTERVAL - performance.now());
    this.#cameraTimer = setTimeout(() => {
      this.#cameraTimer = undefined;
      this.#cameraAt = performance.now();
      this.#send({ type: 'camera', ...cameraPlace(pose) });
    }, wait);
  }

  #followMedia(event: SceneEvent): void {
    // Volume changes during fades are internal and frequent.
    if (!isMedia(event) || event.type === 'media.volume') return;
    this.#send({ type: 'media', element_id: event.element_id, action: event.type.slice('media.'.length) });
  }

  #followPress(element: Element): void {
    // Feed items have no permanent ids.
    if (element.id > 0) this.#send({ type: 'opened', element_id: element.id, name: element.name });
  }

  /** Reports that the visitor has entered this room, once. */
  #sayEntered(): void {
    const { entered, endpoint } = this.#store.get();
    if (!this.#isReady || !entered || !endpoint || this.#enteredPath === endpoint.path) return;
    this.#enteredPath = endpoint.path;
    this.#send({ type: 'entered', path: endpoint.path });
  }

  #followStore(): void {
    const { endpoint, viewPoint, refusal } = this.#store.get();
    if (refusal !== this.#refusal) this.#sayHow();
    this.#sayEntered();
    if (endpoint && endpoint.path !== this.#path) {
      this.#path = endpoint.path;
      this.#isReady = false;
      this.#send({ type: 'navigate', path: endpoint.path });
    }
    if (viewPoint === this.#viewPoint) return;
    this.#viewPoint = viewPoint;
    if (viewPoint !== null) this.#send({ type: 'view_point', id: viewPoint });
  }
}

/**
 * Connects to the embedding page: runs its commands and sends it events.
 * @param visit missing if there is nothing to visit
 * @param heard messages received earlier, in order
 */
export function talkToParent(store: VisitStore, visit: Visit | undefined, heard: readonly MessageEvent[]): void {
  const talk = new ParentTalk(store, visit);
  for (const message of heard) void talk.hear(message);
}
