import type { ScormData, ScormEdition } from '../contract/scorm.ts';

/** The API that a learning management system puts into a window above the page. */
type Api = Record<string, (...values: string[]) => unknown>;

/** Names of functions and fields by edition (SCORM 1.2 and 2004 4th Edition, Run-Time Environment). */
const NAMES = {
  '1.2': {
    api: 'API',
    functions: ['LMSInitialize', 'LMSGetValue', 'LMSSetValue', 'LMSCommit', 'LMSFinish'],
    mode: 'cmi.core.lesson_mode',
    status: 'cmi.core.lesson_status',
    place: 'cmi.core.lesson_location',
    time: 'cmi.core.session_time',
    exit: 'cmi.core.exit',
    score: 'cmi.core.score',
  },
  '2004': {
    api: 'API_1484_11',
    functions: ['Initialize', 'GetValue', 'SetValue', 'Commit', 'Terminate'],
    mode: 'cmi.mode',
    status: 'cmi.completion_status',
    place: 'cmi.location',
    time: 'cmi.session_time',
    exit: 'cmi.exit',
    score: 'cmi.score',
  },
} as const;

/** Windows above the page that are searched. */
const MAX_WINDOWS = 100;
/** Maximum characters of a place in SCORM 1.2. */
const MAX_PLACE = 255;
/** Milliseconds between two reports to the system. */
const COMMIT_EVERY = 10_000;
const SECOND = 1000;

/** Looks for an API in the windows around the page and around the one that opened it. */
function findApi(name: string): Api | undefined {
  for (const start of [window.parent, window.opener as Window | null]) {
    let at = start;
    for (let nth = 0; at && nth < MAX_WINDOWS; nth++) {
      try {
        const found = (at as Window & Record<string, unknown>)[name];
        if (found) return found as Api;
      } catch {
        // A window of another site.
        break;
      }
      if (at.parent === at) break;
      at = at.parent;
    }
  }
  return undefined;
}

const two = (value: number) => String(Math.floor(value)).padStart(2, '0');

/** The record of a learner's attempt; without a system, it records nothing. */
class Attempt {
  readonly #api: Api | undefined;
  readonly #edition: ScormEdition;
  readonly #names: (typeof NAMES)[ScormEdition];
  readonly #isReview: boolean;

  constructor(wanted: ScormEdition) {
    const editions: ScormEdition[] = wanted === '1.2' ? ['1.2', '2004'] : ['2004', '1.2'];
    // Systems run packages of either edition; some offer only one API.
    this.#edition = editions.find((edition) => findApi(NAMES[edition].api)) ?? wanted;
    this.#names = NAMES[this.#edition];
    this.#api = findApi(this.#names.api);
    if (this.#api && String(this.#call(0, '')) !== 'true') this.#api = undefined;
    // Learners who look at a completed attempt change nothing.
    this.#isReview = ['browse', 'review'].includes(this.#get(this.#names.mode));
  }

  #call(nth: 0 | 1 | 2 | 3 | 4, ...values: string[]): unknown {
    return this.#api?.[this.#names.functions[nth]]?.(...values);
  }

  #get = (field: string): string => String(this.#call(1, field) ?? '');

  #set(field: string, value: string): void {
    if (!this.#isReview) this.#call(2, field, value);
  }

  get place(): string {
    return this.#get(this.#names.place);
  }

  set place(place: string) {
    if (place.length <= MAX_PLACE) this.#set(this.#names.place, place);
  }

  get data(): string {
    return this.#get('cmi.suspend_data');
  }

  get isCompleted(): boolean {
    return ['completed', 'passed'].includes(this.#get(this.#names.status));
  }

  /** Reports the progress, from 0 to 1, and the data of a later attempt. */
  report(progress: number, data: string, hasScore: boolean): void {
    const { status, score } = this.#names;
    if (!this.isCompleted) this.#set(status, progress >= 1 ? 'completed' : 'incomplete');
    if (hasScore) {
      this.#set(`${score}.min`, '0');
      this.#set(`${score}.max`, '100');
      this.#set(`${score}.raw`, String(Math.floor(progress * 100)));
    }
    if (this.#edition === '2004') {
      this.#set('cmi.progress_measure', progress.toFixed(4));
      if (hasScore) this.#set('cmi.score.scaled', progress.toFixed(4));
    }
    this.#set('cmi.suspend_data', data);
  }

  commit(): void {
    this.#call(3, '');
  }

  /** Ends the session. @param seconds its length */
  end(seconds: number): void {
    const { time, exit } = this.#names;
    const [hours, minutes] = [seconds / 3600, (seconds % 3600) / 60];
    const clock = `${two(hours).padStart(4, '0')}:${two(minutes)}:${two(seconds % 60)}`;
    this.#set(time, this.#edition === '1.2' ? clock : `PT${Math.floor(seconds)}S`);
    this.#set(exit, this.isCompleted ? (this.#edition === '1.2' ? '' : 'normal') : 'suspend');
    this.commit();
    this.#call(4, '');
  }
}

/** What an attempt stores to continue later. */
interface Kept {
  seconds: number;
  opened: number[];
}

function keptOf(text: string): Kept {
  try {
    const { seconds, opened } = JSON.parse(text) as Partial<Kept>;
    return { seconds: Number(seconds) || 0, opened: Array.isArray(opened) ? opened.filter(Number.isInteger) : [] };
  } catch {
    return { seconds: 0, opened: [] };
  }
}

/** The URL of the place where the learner stopped, or of the room. */
function startOf(room: string, place: string): string {
  const url = URL.parse(place, room);
  const isRoom = url?.origin === new URL(room).origin && url.pathname.startsWith('/embed/');
  return place !== '' && isRoom ? url.href : room;
}

/** Shows the room, and reports the learner's visit to the system. */
async function run({ room: address, title, edition, completion, amount }: ScormData): Promise<void> {
  // A file of its own, which an import by name would merge with this one.
  const sdk = `${new URL(import.meta.url).origin}/embed.js`;
  const { EnfiladeRoom, RoomError } = (await import(/* @vite-ignore */ sdk)) as typeof import('./embed.ts');
  const attempt = new Attempt(edition);
  const kept = keptOf(attempt.data);
  const opened = new Set(kept.opened);
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = 'autoplay; fullscreen; gyroscope; accelerometer; xr-spatial-tracking';
  frame.src = startOf(address, attempt.place);
  document.body.append(frame);
  const room = new EnfiladeRoom(frame);
  let [hasEntered, isOver, seconds] = [false, false, 0];
  let path = new URL(frame.src).pathname;

  const progress = (): number => {
    const done = { entered: 1, minutes: (kept.seconds + seconds) / 60 / amount, opened: opened.size / amount };
    return hasEntered ? Math.min(1, done[completion]) : 0;
  };
  const report = () => {
    const data = JSON.stringify({ seconds: kept.seconds + seconds, opened: [...opened] } satisfies Kept);
    attempt.report(progress(), data, completion !== 'entered');
  };
  room.on('entered', () => {
    hasEntered = true;
    report();
    attempt.commit();
  });
  room.on('opened', ({ element_id }) => {
    if (opened.has(element_id) || opened.size >= amount) return;
    opened.add(element_id);
    report();
  });
  room.on('navigate', (event) => {
    path = `/embed${event.path}`;
    attempt.place = path;
  });
  room.on('view_point', ({ id }) => {
    attempt.place = `${path}#view_point=${id}`;
  });
  room.ready.catch((error: unknown) => {
    // Rooms display their own errors; an empty frame displays nothing.
    if (!(error instanceof RoomError) || error.code !== 'not_listed') return;
    const note = Object.assign(document.createElement('p'), { role: 'alert' });
    note.textContent = `The room can’t be shown here. Add ${location.origin} under Settings → Embed.`;
    frame.replaceWith(note);
  });

  setInterval(() => {
    if (document.hidden || !hasEntered) return;
    seconds++;
    if (completion === 'minutes') report();
  }, SECOND);
  setInterval(() => attempt.commit(), COMMIT_EVERY);
  addEventListener('pagehide', () => {
    if (isOver) return;
    isOver = true;
    if (hasEntered) report();
    attempt.end(seconds);
  });
}

void run(JSON.parse(document.querySelector('script[type="application/json"]')!.textContent!) as ScormData);
