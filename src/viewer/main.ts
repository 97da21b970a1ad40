import '../../engine/stage/stage.css';
import { en } from '../contract/viewer-texts/en.ts';
import { Entrance } from './entrance.ts';
import { flags } from './page-place.ts';
import { say, takeOwnTexts, textsReady } from './texts/say.ts';
import { Visit } from './visit.ts';
import { pageWrittenAt, readVisitData } from './visit-data.ts';
import { NOTHING_YET, VisitStore } from './visit-store.ts';

const { settings, endpoint, needsCode, problem } = readVisitData();
takeOwnTexts(settings.texts);
const entrance = new Entrance();
document.documentElement.classList.toggle('is-transparent', flags.transparent);
const store = new VisitStore({
  settings,
  flags,
  endpoint,
  entered: flags.autoload,
  canGoBack: history.state?.inside === true,
  muted: false,
  ...NOTHING_YET,
  notice: null,
});

declare global {
  interface Window {
    /** The visit, for the browser's console and for tests. */
    enfilade?: Visit;
  }
}

void textsReady.then((spoken) => {
  document.documentElement.lang = spoken;
  const twin = document.getElementById('text-twin');
  if (twin) twin.textContent = say('asText');
});

if (endpoint || needsCode) {
  const visit = new Visit(document.getElementById('room')!, entrance, store);
  window.enfilade = visit;
  if (flags.isEmbed && window.parent !== window) {
    const stop = visit.events.subscribe(({ type }) => {
      if (type !== 'first_frame') return;
      stop();
      void import('./embed/talk-to-parent.ts').then(({ talkToParent }) => talkToParent(visit, store));
    });
  }
  if (endpoint && endpoint.opens_at === null) visit.open({ endpoint, at: pageWrittenAt() });
  else visit.pass(needsCode);
} else {
  void textsReady.then(() => {
    const sentence = problem === en.noPage ? say('noPage') : (problem ?? say('notOpened'));
    entrance.refuse(settings.name, sentence);
  });
}
