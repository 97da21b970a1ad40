import { sourceOf } from '../../../engine/document/source.ts';
import { traitsOf } from '../../../engine/document/traits-of.ts';
import type { Scene } from '../../../engine/scene/scene.ts';
import type { StageHandlers, StageOptions } from '../../../engine/stage/stage-options.ts';
import { logProblem } from '../reports/console.ts';
import { say, sayAny } from '../texts/say.ts';
import type { LinkHost } from './follow-link.ts';
import { pictureFollower } from './lost-picture.ts';
import type { Coming } from './movement.ts';
import type { RoomHost } from './room-controls.ts';
import { firstSlider, showEvent } from './show-event.ts';
import type { VisitStore } from './visit-store.ts';
import type { RoomArrival } from './way-in.ts';

/** Press handling, loaded after the first frame: nothing can be pressed before. */
export const loadPresses = () => import('./press-element.ts');

/** Whether an element shows nothing because of an error, without a message of its own. */
function isMissing(scene: Scene, elementId: number): boolean {
  const entity = scene.entityOf(elementId);
  const element = entity === undefined ? undefined : scene.elementOf(entity);
  // An element without a file is unfinished, and a video shows its own message.
  return element !== undefined && sourceOf(element) !== '' && traitsOf(element.element).plays !== 'film';
}

/** Loads the visitor's choices about third-party content, if it needs their consent. Nothing else loads it. */
export async function loadConsent(visit: RoomHost, isWanted = false): Promise<void> {
  const { settings, flags, consent } = visit.store.get();
  if (consent || !(isWanted || flags.hostConsent || settings.third_parties === 'ask')) return;
  const { Consent } = await import('../consent/consent.ts');
  if (!visit.store.get().consent) visit.store.set({ consent: new Consent(visit) });
}

/** The options of a stage that don't depend on the room. */
export const pageOptions = (
  container: HTMLElement,
  { get }: VisitStore,
  { settings, flags } = get(),
): Omit<StageOptions, 'scene' | 'time'> => ({
  container,
  substitute: (element) => get().consent?.substitute(element),
  mayLoad: (url) => get().consent?.lacks(url).length !== 1,
  names: async () => (await import('../texts/element-name.ts')).elementNaming,
  font: settings.font_url,
  transparent: flags.transparent,
  transition: flags.transition,
  say: sayAny,
  sharesScrolling: flags.isEmbed && window.parent !== window,
});

/** What a visit does with the events of one room, whichever way the visitor came. */
export function roomHandlers(visit: RoomHost, scene: Scene): StageHandlers {
  const { events, store } = visit;
  /** Whether the visitor has been told that parts are missing. */
  let hasFailed = false;
  const picture = pictureFollower(visit);
  return {
    ticking: () => events.tell({ type: 'tick' }),
    moved: (pose) => events.tell({ type: 'moved', pose }),
    pointed: (element_id) => events.tell({ type: 'pointed', element_id }),
    pressed: (element, inside) => {
      events.tell({ type: 'pressed', element: inside ?? element });
      void loadPresses().then(({ pressElement }) => pressElement(element, inside, visit));
    },
    detailsWanted: (element) => store.show({ kind: 'texts', element }),
    event: (event) => {
      events.tell({ type: 'scene', event });
      showEvent(event, scene, store);
    },
    cues: (_, cues) => store.set({ cues }),
    subtitlesFound: (id, language) => {
      const { streamLanguages, subtitles } = store.get();
      store.set({ streamLanguages: [...new Set([...streamLanguages, language])] });
      if (subtitles?.language !== undefined) visit.stage?.viewOf(id)?.subtitles?.(subtitles.language);
    },
    failed: (message, elementId) => {
      logProblem(message, { element_id: elementId });
      events.tell({ type: 'failed', message, element_id: elementId });
      if (hasFailed || (elementId !== null && !isMissing(scene, elementId))) return;
      hasFailed = true;
      visit.tell(say('partMissing'));
    },
    context: picture.follow,
    disposed: () => {
      picture.end();
      scene.dispose();
    },
  };
}

/** A visit, as far as links act on it. */
interface LinkedVisit extends RoomHost {
  goTo(path: string, how?: RoomArrival): Promise<void>;
  goToViewPoint(id: number, coming?: Coming): void;
}

/** What the links of a visit's rooms do. */
export const linksOf = (visit: LinkedVisit): LinkHost => ({
  openRoom: (path, how) => void visit.goTo(path, how),
  goToViewPoint: (id, coming) => visit.goToViewPoint(id, coming),
  openSlider: () => {
    const id = firstSlider(visit.stage?.scene.room.elements ?? []);
    if (id !== undefined) visit.send({ type: 'slider.open', element_id: id });
  },
  show: (dialog) => visit.store.show(dialog),
  emitCustom: (name) => visit.events.tell({ type: 'custom', name }),
});
