import '../../engine/stage/stage.css';
import { Entrance } from './entrance.ts';
import { Visit } from './visit.ts';
import { readVisitData } from './visit-data.ts';
import { VisitStore } from './visit-store.ts';

const { settings, endpoint, problem } = readVisitData();
const entrance = new Entrance();
const store = new VisitStore({
  settings,
  endpoint,
  entered: false,
  canGoBack: history.state?.inside === true,
  viewPoints: [],
  viewPoint: null,
  dialog: null,
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

if (endpoint) {
  window.enfilade = new Visit(document.getElementById('room')!, entrance, store);
  window.enfilade.open(endpoint);
} else {
  entrance.refuse(settings.name, problem ?? 'This room could not be opened.');
}
