import { type FormEvent, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { type CheckInStore, type Found, type Shown, timeOf } from './check-in-store.ts';
import { type CameraState, useScanner } from './use-scanner.ts';

const CAMERA_TEXTS: Record<Exclude<CameraState, 'on'>, string> = {
  starting: 'Starting the camera…',
  none: 'No camera found. Type the token below.',
  refused: 'The camera is blocked. Allow it in the browser’s settings and reload, or type the token below.',
};

/** Date and time of a stamp. */
const momentOf = (stamp: string) =>
  new Date(stamp).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Heading and color of what was found. */
function verdictOf({ state, guest, isDone }: Found): { text: string; tone: 'good' | 'bad' | 'wait' } {
  if (guest?.checked_in_at) {
    const text = `Checked in at ${timeOf(guest.checked_in_at)}`;
    return isDone ? { text, tone: 'good' } : { text: `Already c${text.slice(1)}`, tone: 'wait' };
  }
  switch (state) {
    case 'valid':
      return { text: 'Valid', tone: 'good' };
    case 'not_yet_valid':
      return { text: `Not valid before ${momentOf(guest!.valid_from!)}`, tone: 'wait' };
    case 'expired':
      return { text: `Expired ${momentOf(guest!.valid_till!)}`, tone: 'bad' };
    case 'other_structure':
      return { text: 'Token of another structure', tone: 'bad' };
    case 'unchecked':
      return { text: 'Can’t be checked without a connection', tone: 'wait' };
    default:
      return { text: 'Unknown token', tone: 'bad' };
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
      {guest && <h2>{guest.holder_name ?? 'No name'}</h2>}
      {guest?.group && <p>{guest.group}</p>}
      {note && <p className="note">{note}</p>}
      <div className="actions">
        {mayCheckIn ? (
          <button ref={main} type="button" className="primary" disabled={isBusy} onClick={() => void store.checkIn()}>
            Check in
          </button>
        ) : (
          <button ref={main} type="button" className="primary" onClick={store.next}>
            Next
          </button>
        )}
        {mayCheckIn && (
          <button type="button" onClick={store.next}>
            Cancel
          </button>
        )}
        {guest?.checked_in_at && (
          <button type="button" disabled={isBusy} onClick={() => void store.undo()}>
            Undo
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
        {camera === 'on' ? <span className="frame" /> : <p>{CAMERA_TEXTS[camera]}</p>}
      </div>
      <form onSubmit={submit}>
        <input
          aria-label="Token"
          placeholder="Type a token"
          value={token}
          maxLength={255}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" disabled={token.trim() === ''}>
          Find
        </button>
      </form>
    </div>
  );
}

/** Connection and what waits for it. */
function Connection({ isOnline, waiting }: Pick<Shown, 'isOnline' | 'waiting'>) {
  if (isOnline && waiting === 0) return null;
  const changes = `${waiting} ${waiting === 1 ? 'change' : 'changes'} to send`;
  return (
    <p className="connection" role="status">
      {[!isOnline && 'Offline', waiting > 0 && changes].filter(Boolean).join(' · ')}
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
        <h1>Check-in</h1>
        <p role="status">
          {view === 'loading' && 'Loading…'}
          {view === 'gone' && 'This check-in link no longer works. Ask the organizer for a new one.'}
          {view === 'failed' && 'The guest list could not be loaded. Check your connection.'}
        </p>
        {view === 'failed' && (
          <button type="button" className="primary" onClick={() => void store.refresh()}>
            Try again
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
          <span>checked in</span>
        </p>
      </header>
      <Connection {...shown} />
      {conflicts.length > 0 && (
        <section className="conflicts" role="alert">
          <h2>Not checked in here</h2>
          <ul>
            {conflicts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <button type="button" onClick={store.forgetConflicts}>
            Dismiss
          </button>
        </section>
      )}
      <Scanner store={store} isPaused={found !== null} />
      {found && <Result store={store} found={found} isBusy={isBusy} />}
    </main>
  );
}
