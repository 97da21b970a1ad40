import type { SceneEvent } from '../../../engine/scene/scene.ts';
import type { CameraPose } from '../../../engine/scene/view/camera-pose.ts';
import type { EmbedEvent } from '../../contract/embed-messages.ts';
import { cameraPlace } from '../address/camera-place.ts';
import { logProblem } from '../reports/console.ts';
import type { VisitEvent } from '../visit/visit-events.ts';
import type { VisitState, VisitStore } from '../visit/visit-store.ts';
import type { Visit } from '../visit.ts';
import { MessageError, readRequest } from './read-request.ts';
import { RefusedError, runCommand, sentenceOf } from './run-command.ts';

/** Milliseconds between two words about where the camera is. */
const CAMERA_INTERVAL = 250;
/** Messages about which the console is told; who sends more has been heard of. */
const MOST_COMPLAINTS = 50;

/** Origin of the page around us, as far as the browser tells: not at all where that page sends no referrer. */
function toldOrigin(): string | null {
  const [nearest] = location.ancestorOrigins ?? [];
  if (nearest) return nearest;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}

/** Speaks with the page around an embedded room, if that page is one that may. */
class ParentTalk {
  /** Undefined where there is nothing to visit. */
  readonly #visit: Visit | undefined;
  readonly #store: VisitStore;
  /** Origin to which everything is sent; null while none is known, and then nothing is. */
  #parent: string | null;
  #complaints = 0;
  #isReady = false;
  #viewPoint: number | null = null;
  #path: string | undefined;
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

  /** Says whether the room can be driven. @param isAsked whether that is said also while it is still on its way */
  #sayHow(isAsked = false): void {
    const { refusal } = this.#store.get();
    this.#refusal = refusal;
    if (refusal) this.#send({ type: 'refused', code: refusal.code, message: sentenceOf(refusal) });
    else if (this.#isReady) this.#sayReady();
    else if (isAsked) this.#send({ type: 'loading' });
  }

  /** Listed by the organization, or our own. A page without an origin is neither. */
  #mayTalk(origin: string): boolean {
    if (!/^https?:\/\//.test(origin)) return false;
    return origin === location.origin || this.#store.get().settings.embed_domains.includes(origin);
  }

  #send(event: EmbedEvent): void {
    if (this.#parent !== null) window.parent.postMessage(event, this.#parent);
  }

  #sayReady(): void {
    const { endpoint, viewPoints } = this.#store.get();
    if (!this.#isReady || !endpoint?.room) return;
    const view_points = viewPoints.map(({ id, config }) => ({ id, name: config.name }));
    const { room, path } = endpoint;
    this.#send({ type: 'ready', room_id: room.id, title: room.title, path, view_points });
  }

  #printError(sentence: string, origin: string): void {
    if (++this.#complaints <= MOST_COMPLAINTS) logProblem(sentence, { origin });
  }

  async hear({ data, origin, source }: MessageEvent): Promise<void> {
    if (!this.#mayTalk(origin)) {
      this.#printError('A message from a site that may not send any.', origin);
      return;
    }
    let request: string | undefined;
    try {
      const command = readRequest(data);
      request = command.request;
      if (source === window.parent) this.#parent = origin;
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
      case 'custom':
        this.#send({ type: 'event', name: event.name });
        break;
      case 'failed':
        this.#send({ type: 'error', message: event.message, element_id: event.element_id });
        break;
      default:
    }
  }

  /** Told at once, then at most four times a second, the last place always. */
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
    // How loud it fades is nobody's business, and told often.
    if (!event.type.startsWith('media.') || !('element_id' in event) || event.type === 'media.volume') return;
    this.#send({ type: 'media', element_id: event.element_id, action: event.type.slice('media.'.length) });
  }

  #followStore(): void {
    const { endpoint, viewPoint, refusal } = this.#store.get();
    if (refusal !== this.#refusal) this.#sayHow();
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
 * Speaks with the page around an embedded room: takes its commands, and tells it what happens.
 * @param visit left out where there is nothing to visit
 * @param heard what that page has said already, in order
 */
export function talkToParent(store: VisitStore, visit: Visit | undefined, heard: readonly MessageEvent[]): void {
  const talk = new ParentTalk(store, visit);
  for (const message of heard) void talk.hear(message);
}
