import type { EmbedCommand, EmbedRefusal } from '../../contract/embed-messages.ts';
import type { OwnTexts } from '../../contract/entities/own-texts.ts';
import { MAX_TEXT_LENGTH } from '../../contract/viewer-texts/limits.ts';
import { linkPathOf, safeUrl } from '../address/page-place.ts';
import { track } from '../reports/analytics.ts';
import { putWords } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import { RoomControls } from '../visit/room-controls.ts';
import { loadConsent } from '../visit/room-handlers.ts';
import type { VisitState } from '../visit/visit-store.ts';
import type { Visit } from '../visit.ts';

/** Replaces the viewer's texts by key; unknown keys are ignored. */
function replaceTexts(texts: Record<string, unknown>): void {
  const known = Object.entries(texts).filter(
    ([key, value]) => /^\w+$/.test(key) && typeof value === 'string' && value.length <= MAX_TEXT_LENGTH,
  );
  putWords(Object.fromEntries(known) as OwnTexts['en']);
}

type Refusal = NonNullable<VisitState['refusal']>;

/** Message for a refused room. */
export const sentenceOf = ({ code, message }: Refusal): string =>
  message || say(code === 'protected' ? 'codeTitle' : 'notOpenYet');

/** Why a command could not open a room. */
export class RefusedError extends Error {
  readonly code: EmbedRefusal;
  constructor(refusal: Refusal) {
    super(sentenceOf(refusal));
    this.code = refusal.code;
  }
}

/** Opens another room. @throws RefusedError if it does not open, or needs a token or a wait */
async function navigate(visit: Visit, path: string): Promise<void> {
  let stop: (() => void) | undefined;
  const refused = new Promise<never>((_, reject) => {
    stop = visit.store.subscribe(() => {
      const { refusal } = visit.state;
      if (refusal) reject(new RefusedError(refusal));
    });
  });
  await Promise.race([visit.goTo(path), refused]).finally(stop);
}

/** Applies the decision of the embedding page about third-party content. */
async function decide(visit: Visit, { hosts, others }: Extract<EmbedCommand, { type: 'consent' }>): Promise<void> {
  await loadConsent(visit, true);
  const { consent } = visit.state;
  if (typeof hosts === 'boolean') consent?.chooseAll(hosts);
  else if (typeof others === 'boolean') consent?.chooseAll(others, hosts);
  else consent?.choose(hosts, 'none');
}

/**
 * Runs a command of the embedding page.
 * @returns a promise for asynchronous commands, rejected with a message on failure
 * @throws Error with a message on failure
 */
export function runCommand(visit: Visit, command: EmbedCommand): Promise<void> | void {
  switch (command.type) {
    case 'view_point':
      if (!visit.state.viewPoints.some(({ id }) => id === command.id))
        throw new Error(`This room has no view point ${command.id}.`);
      visit.goToViewPoint(command.id);
      break;
    case 'camera': {
      const { stage } = visit;
      const { position = stage?.pose.position, target } = command;
      // Commands take effect in their order.
      stage?.afterInputs(() => {
        if (position) stage.rig.moveTo({ x: position.x, y: position.y, z: position.z }, target);
        stage.invalidate();
      });
      break;
    }
    case 'camera.reset':
      new RoomControls(visit).resetCamera();
      break;
    case 'media':
      runMedia(visit, command);
      break;
    case 'navigate':
      return navigate(
        visit,
        linkPathOf({ type: 'slug', type_config: { slug_one: command.slug_one, slug_two: command.slug_two ?? '' } }),
      );
    case 'modal': {
      const { url, content = '', title = '' } = command;
      if (url === undefined) visit.follow({ type: 'modal_content', type_config: { content, title } });
      else if (safeUrl(url) === null) throw new Error('Only https pages and pages of this site can be shown.');
      else visit.follow({ type: 'modal_url', type_config: { url, title } });
      break;
    }
    case 'event':
      track(command.name, command.data ? { data: command.data } : {});
      break;
    case 'time':
      visit.moveTime(command.seconds);
      break;
    case 'consent':
      return decide(visit, command);
    case 'texts':
      replaceTexts(command.texts);
      visit.store.set({});
      break;
    default:
  }
}

function runMedia(visit: Visit, { element_id, action, value = 0 }: Extract<EmbedCommand, { type: 'media' }>): void {
  if (element_id === undefined || element_id === null) {
    if (action === 'mute' || action === 'unmute') new RoomControls(visit).setMuted(action === 'mute');
    return;
  }
  const { scene } = visit.stage ?? {};
  const entity = scene?.entityOf(element_id);
  if (entity === undefined || scene?.media(entity) === undefined)
    throw new Error(`Element ${element_id} of this room is not playable.`);
  visit.send(action === 'seek' ? { type: 'seek', element_id, at: value } : { type: action, element_id });
}
