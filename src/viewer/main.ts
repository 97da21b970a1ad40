import '../../engine/stage/stage.css';
import { Entrance } from './entrance.ts';
import { flags } from './page-place.ts';
import { opensAt } from './room-clock.ts';
import { Visit } from './visit.ts';
import { readVisitData } from './visit-data.ts';
import { VisitStore } from './visit-store.ts';

const { settings, endpoint, needsCode, problem } = readVisitData();
const entrance = new Entrance();
document.documentElement.classList.toggle('is-transparent', flags.transparent);
const store = new VisitStore({
  settings,
  flags,
  endpoint,
  entered: flags.autoload,
  canGoBack: history.state?.inside === true,
  viewPoints: [],
  viewPoint: null,
  dialog: null,
  slide: null,
  fullPage: null,
  mutedFallback: false,
  cues: [],
  notice: null,
});

declare global {
  interface Window {
    /** The visit, for the browser's console and for tests. */
    enfilade?: Visit;
  }
}

const waits = endpoint && (opensAt(endpoint) ?? 0) > endpoint.current_time;

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
  if (endpoint && !waits) visit.open(endpoint);
  else visit.pass(needsCode);
} else {
  entrance.refuse(settings.name, problem ?? 'This room could not be opened.');
}
