import '../../engine/stage/stage.css';
import { directionOfTag } from '../../engine/document/languages.ts';
import { accentOf } from '../contract/accent-color.ts';
import { enEarly } from '../contract/viewer-texts/en-early.ts';
import { directionOf, type Language } from '../contract/viewer-texts/limits.ts';
import { flags, isStatic, type Kiosk, kiosk, textPath } from './address/page-place.ts';
import { Entrance } from './entry/entrance.ts';
import { applyAccent } from './parts/accent.ts';
import { nameRoomLanguage } from './parts/room-language.ts';
import { language, onOtherWords, say, takeOwnTexts, textsReady } from './texts/say.ts';
import { loadConsent } from './visit/room-handlers.ts';
import { arrivalNow, pageWrittenAt, readVisitData, visitedEndpoint } from './visit/visit-data.ts';
import { NOTHING_YET, VisitStore } from './visit/visit-store.ts';
import { Visit } from './visit.ts';

const { settings, endpoint, needsCode, problem } = readVisitData();
takeOwnTexts(settings.texts);
const entrance = new Entrance();
document.documentElement.classList.toggle('is-transparent', flags.transparent);
const store = new VisitStore({
  settings,
  flags,
  endpoint: endpoint && visitedEndpoint(endpoint),
  entered: flags.autoload,
  canGoBack: history.state?.inside === true,
  muted: false,
  ...NOTHING_YET,
  notification: null,
});

/** Shows the accent color of the room, which changes with it. */
const showAccent = () => applyAccent(accentOf(settings, store.get().endpoint).color);
showAccent();
store.subscribe(showAccent);

const isOpen = endpoint !== null && !endpoint.is_protected;
const runAsKiosk = async (here: Kiosk) => (await import('./kiosk/run-kiosk.ts')).runKiosk(here, isOpen);
if (kiosk) void runAsKiosk(kiosk);

declare global {
  interface Window {
    /** The visit, exposed for the console and tests. */
    enfilade?: Visit;
  }
}

/** Labels the link to the text version. */
const sayTwin = () => document.getElementById('text-twin')?.replaceChildren(say('asText'));

/** Language of the texts on the page, once they are loaded. */
let spoken: Language | undefined;

/** Names the languages of the page: that of its room, if the room states one, and that of the texts around it. */
function nameLanguages(): void {
  const shown = store.get().endpoint?.language;
  nameRoomLanguage(shown ?? '');
  for (const part of document.querySelectorAll<HTMLElement>('#room, #entrance-title')) part.lang = shown ?? '';
  if (!spoken) return;
  const around = { lang: spoken as string, dir: directionOf(spoken) as string };
  for (const part of document.querySelectorAll('#overlay, #entrance, #text-twin')) Object.assign(part, around);
  const whole = shown === undefined ? around : { lang: shown, dir: directionOfTag(shown) };
  Object.assign(document.documentElement, whole);
}
nameLanguages();
store.subscribe(nameLanguages);
// Elsewhere, the link is relative to the page's URL, which changes with the room.
if (isStatic) store.subscribe(() => document.getElementById('text-twin')?.setAttribute('href', textPath()));

onOtherWords(() => {
  spoken = language;
  nameLanguages();
  sayTwin();
});
void textsReady.then((ready) => {
  spoken = ready;
  nameLanguages();
  sayTwin();
});

/** Accepts messages of the embedding page from the start. */
function listenToParent(visit?: Visit): void {
  if (!flags.isEmbed || window.parent === window) return;
  /** Messages received before the channel is ready. */
  const heard: MessageEvent[] = [];
  let hasBegun = false;
  const hear = (message?: MessageEvent) => {
    if (message) heard.push(message);
    if (hasBegun) return;
    hasBegun = true;
    void import('./embed/talk-to-parent.ts').then(({ talkToParent }) => {
      stop?.();
      removeEventListener('message', hear);
      talkToParent(store, visit, heard);
    });
  };
  const stop = visit?.events.subscribe(({ type }) => type === 'first_frame' && hear());
  addEventListener('message', hear);
}

if ((endpoint || needsCode) && !document.getElementById('landing')) {
  const visit = new Visit(document.getElementById('room')!, entrance, store);
  window.enfilade = visit;
  listenToParent(visit);
  // Only pages of open rooms are stored, except previews, which other requests would not show.
  const isPreview = new URLSearchParams(location.search).has('preview');
  const at = pageWrittenAt() ?? (isPreview ? performance.now() : null);
  // Without the code that holds it back, third-party content would load.
  loadConsent(visit).then(
    () => {
      if (endpoint?.opens_at !== null) visit.pass(needsCode);
      else if (isStatic) void visit.open(arrivalNow(endpoint, performance.now()));
      else if (at === null) visit.reload();
      else void visit.open({ endpoint, at });
    },
    (error) => visit.refuse(error),
  );
} else {
  listenToParent();
  // Visitors see the page's own message; this one is for the embedding page.
  void textsReady.then(() => {
    const isMissing = problem === null || problem === enEarly.noPage;
    const message = problem === null ? say('emptyRoom') : isMissing ? say('noPage') : problem;
    store.set({ refusal: { code: isMissing ? 'missing' : 'failed', message } });
  });
}
