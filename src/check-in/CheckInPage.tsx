import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type CheckInStore, type Found, languageTag, type Shown, timeOf } from './check-in-store.ts';
import { say } from './texts.ts';
import { useScanner } from './use-scanner.ts';

const CAMERA_TEXTS = { starting: 'cameraStarting', none: 'cameraNone', refused: 'cameraRefused' } as const;

/** Date and time of a stamp. */
const momentOf = (stamp: string) =>
  new Date(stamp).toLocaleString(languageTag, { dateStyle: 'medium', timeStyle: 'short' });

/** Heading and color of what was found. */
function verdictOf({ state, guest, isDone }: Found): { text: string; tone: 'good' | 'bad' | 'wait' } {
  if (guest?.checked_in_at) {
    const time = timeOf(guest.checked_in_at);
    if (isDone) return { text: say('checkedIn', { time }), tone: 'good' };
    return { text: say('alreadyCheckedIn', { time }), tone: 'wait' };
  }
  switch (state) {
    case 'valid':
      return { text: say('valid'), tone: 'good' };
    case 'not_yet_valid':
      return { text: say('early', { time: momentOf(guest!.valid_from!) }), tone: 'wait' };
    case 'expired':
      return { text: say('expired', { time: momentOf(guest!.valid_till!) }), tone: 'bad' };
    case 'other_structure':
      return { text: say('otherStructure'), tone: 'bad' };
    case 'unchecked':
      return { text: say('unchecked'), tone: 'wait' };
    default:
      return { text: say('unknown'), tone: 'bad' };
  }
}

/** The guest of a token, with what can be done. */
function Result({ store, found, isBusy }: { store: CheckInStore; found: Found; isBusy: boolean }) {
  const { state, guest, note, problem } = found;
  const { text, tone } = problem ? { text: problem, tone: 'bad' } : verdictOf(found);
  const mayCheckIn = guest !== null && guest.checked_in_at === null && state === 'valid';
  const main = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the main button changes with the guest.
  useEffect(() => main.current?.focus(), [mayCheckIn, guest?.id]);
  return (
    <section className="result" data-tone={tone} role="status">
      <p className="verdict">{text}</p>
      {guest && <h2>{guest.holder_name ?? say('noName')}</h2>}
      {guest?.group && <p>{guest.group}</p>}
      {note && <p className="note">{note}</p>}
      <div className="actions">
        {mayCheckIn ? (
          <button ref={main} type="button" className="primary" disabled={isBusy} onClick={() => void store.checkIn()}>
            {say('checkIn')}
          </button>
        ) : (
          <button ref={main} type="button" className="primary" onClick={store.next}>
            {say('next')}
          </button>
        )}
        {mayCheckIn && (
          <button type="button" onClick={store.next}>
            {say('cancel')}
          </button>
        )}
        {guest?.checked_in_at && (
          <button type="button" disabled={isBusy} onClick={() => void store.undo()}>
            {say('undo')}
          </button>
        )}
      </div>
    </section>
  );
}

/** Camera and token field. */
function Scanner({ store, isPaused }: { store: CheckInStore; isPaused: boolean }) {
  const video = useRef<HTMLVideoElement>(null);
  const camera = useScanner(video, (text) => void store.look(text), isPaused);
  const [token, setToken] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void store.look(token).then(() => setToken(''));
  };
  return (
    <div hidden={isPaused} className="scanner">
      <div className="camera">
        <video ref={video} muted playsInline hidden={camera !== 'on'} />
        {camera === 'on' ? <span className="frame" /> : <p>{say(CAMERA_TEXTS[camera])}</p>}
      </div>
      <form onSubmit={submit}>
        <input
          aria-label={say('token')}
          placeholder={say('typeToken')}
          value={token}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" disabled={token.trim() === ''}>
          {say('find')}
        </button>
      </form>
    </div>
  );
}

/** Connection and what waits for it. */
function Connection({ isOnline, waiting }: Pick<Shown, 'isOnline' | 'waiting'>) {
  if (isOnline && waiting === 0) return null;
  const changes = waiting === 1 ? say('changeToSend') : say('changesToSend', { count: waiting });
  return (
    <p className="connection" role="status">
      {[!isOnline && say('offline'), waiting > 0 && changes].filter(Boolean).join(' · ')}
    </p>
  );
}

/** Page on which staff check in guests. */
export function CheckInPage({ store }: { store: CheckInStore }) {
  const shown = useSyncExternalStore(store.subscribe, () => store.shown);
  const { view, structure, link, counts, found, isBusy, conflicts } = shown;
  if (view !== 'ready')
    return (
      <main className="message">
        <h1>{say('title')}</h1>
        <p role="status">
          {view === 'loading' && say('loading')}
          {view === 'gone' && say('gone')}
          {view === 'failed' && say('failed')}
        </p>
        {view === 'failed' && (
          <button type="button" className="primary" onClick={() => void store.refresh()}>
            {say('tryAgain')}
          </button>
        )}
      </main>
    );
  return (
    <main>
      <header>
        <div>
          <h1>{structure}</h1>
          <p>{link}</p>
        </div>
        <p className="counts">
          <strong>{counts.checked_in.toLocaleString()}</strong> / {counts.total.toLocaleString()}
          <span>{say('countedAs')}</span>
        </p>
      </header>
      <Connection {...shown} />
      {conflicts.length > 0 && (
        <section className="conflicts" role="alert">
          <h2>{say('conflicts')}</h2>
          <ul>
            {conflicts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <button type="button" onClick={store.forgetConflicts}>
            {say('dismiss')}
          </button>
        </section>
      )}
      <Scanner store={store} isPaused={found !== null} />
      {found && <Result store={store} found={found} isBusy={isBusy} />}
    </main>
  );
}
