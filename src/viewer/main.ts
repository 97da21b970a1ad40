import '../../engine/stage/stage.css';
import { enEarly } from '../contract/viewer-texts/en-early.ts';
import { flags } from './address/page-place.ts';
import { Entrance } from './entry/entrance.ts';
import { applyAccent } from './parts/accent.ts';
import { onOtherWords, say, takeOwnTexts, textsReady } from './texts/say.ts';
import { pageWrittenAt, readVisitData, visitedEndpoint } from './visit/visit-data.ts';
import { NOTHING_YET, VisitStore } from './visit/visit-store.ts';
import { Visit } from './visit.ts';

const { settings, endpoint, needsCode, problem } = readVisitData();
takeOwnTexts(settings.texts);
applyAccent(settings.accent_color);
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

declare global {
  interface Window {
    /** The visit, exposed for the console and tests. */
    enfilade?: Visit;
  }
}

/** Labels the link to the text version. */
const sayTwin = () => document.getElementById('text-twin')?.replaceChildren(say('asText'));

onOtherWords(sayTwin);
void textsReady.then((spoken) => {
  // The room's language is unknown; its parts have none.
  for (const part of document.querySelectorAll<HTMLElement>('html, #overlay, #entrance')) part.lang = spoken;
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
  if (endpoint?.opens_at !== null) visit.pass(needsCode);
  else if (at === null) visit.reload();
  else void visit.open({ endpoint, at });
} else {
  listenToParent();
  // Visitors see the page's own message; this one is for the embedding page.
  void textsReady.then(() => {
    const isMissing = problem === null || problem === enEarly.noPage;
    const message = problem === null ? say('emptyRoom') : isMissing ? say('noPage') : problem;
    store.set({ refusal: { code: isMissing ? 'missing' : 'failed', message } });
  });
}
