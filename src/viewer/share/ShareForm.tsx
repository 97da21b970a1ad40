import { type FormEvent, useEffect, useRef, useState } from 'react';
import { allowOwnScripts } from '../../../engine/stage/resources/own-scripts.ts';
import type { Challenge } from '../../contract/entities.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { proofText } from '../../contract/proof-of-work.ts';
import { sendForm } from '../../contract/send-form.ts';
import { publicPath } from '../address/page-place.ts';
import { logProblem } from '../reports/console.ts';
import { sayError } from '../texts/say.ts';
import { say } from '../texts/say-all.ts';
import { structurePath, visitToken } from '../visit/visit-data.ts';
import type { Dialog, VisitActions } from '../visit/visit-store.ts';
import styles from './share.module.css';

/** An unsent message. */
interface Draft {
  name: string;
  message: string;
  file: File | null;
}

const drafts = new Map<number, Draft>();

/** Draft of a feed, kept until sent, since dialogs close easily. */
const messageDraftOf = (feedId: number): Draft => drafts.get(feedId) ?? { name: '', message: '', file: null };
const keepDraft = (feedId: number, draft: Draft): void => void drafts.set(feedId, draft);
/** Keeps the visitor's name for the next message. */
const forgetDraft = (feedId: number): void =>
  void drafts.set(feedId, { name: messageDraftOf(feedId).name, message: '', file: null });

/** Validity of a proof in milliseconds, slightly shorter than on the server. */
const LIFETIME = 9 * 60 * 1000;

/** Solves a challenge in a worker. @throws Error if workers are unavailable */
function solve(challenge: Challenge): Promise<number[]> {
  allowOwnScripts();
  const worker = new Worker(new URL('./solve-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number[]>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<number[]>) => resolve(data);
    worker.onerror = () => reject(new Error('The proof of work could not be done.'));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

/** Computes the proof of work while the visitor is still writing. */
class ProofOfWork {
  readonly #ask: () => Promise<Challenge>;
  #begun = 0;
  #proof: Promise<string | null> | null = null;

  /** @param ask requests a challenge from the server */
  constructor(ask: () => Promise<Challenge>) {
    this.#ask = ask;
  }

  /** Starts computing, unless running or done. */
  begin(): void {
    if (this.#proof && performance.now() - this.#begun < LIFETIME) return;
    this.#begun = performance.now();
    this.#proof = this.#prove();
  }

  /** The proof for one message; null if the browser can't compute it: the message may then be held for approval. */
  async take(): Promise<string | null> {
    this.begin();
    const proof = await this.#proof;
    this.#proof = null;
    return proof;
  }

  async #prove(): Promise<string | null> {
    try {
      const challenge = await this.#ask();
      return proofText(challenge.challenge, await solve(challenge));
    } catch (error) {
      logProblem(String(error), {});
      return null;
    }
  }
}

const headersOf = (token: string | null): Record<string, string> => (token ? { authorization: `Bearer ${token}` } : {});

/**
 * Requests a proof-of-work challenge.
 * @param token visit token, if the room needs one
 * @throws Error if the server gives none
 */
async function askChallenge(feedId: number, token: string | null): Promise<Challenge> {
  const answer = await fetch(`/api/v1/share/challenge?feed_id=${feedId}`, { headers: headersOf(token) });
  if (!answer.ok) throw new Error(`No challenge: ${answer.status}`);
  return ((await answer.json()) as { data: Challenge }).data;
}

/** Credentials sent with a message. */
interface Sending {
  /** Visit token, if the room needs one. */
  token: string | null;
  /** Proof of work, or null. */
  proof: string | null;
}

/**
 * Sends a message, an image or both to a local feed.
 * @returns whether it waits for approval
 * @throws Error with a message for visitors if it was rejected
 */
async function sendShare(feedId: number, { name, message, file }: Draft, { token, proof }: Sending): Promise<boolean> {
  const form = new FormData();
  form.set('name', name);
  form.set('message', message);
  form.set('feed_id', String(feedId));
  if (proof !== null) form.set('proof', proof);
  if (file) form.set('file', file);
  const headers = headersOf(token);
  const answer = await sendForm('/api/v1/share', { form, headers, signal: AbortSignal.timeout(120_000) }).catch(() => {
    throw new Error(say('notShared'));
  });
  if (answer.status < 300)
    return (answer._data as { data?: { is_waiting?: boolean } } | null)?.data?.is_waiting === true;
  throw new Error(sayError(answer._data as ErrorBody | null, 'notShared'));
}

interface Props {
  dialog: Extract<Dialog, { kind: 'share' }>;
  actions: VisitActions;
}

/** Maximum message length, and the length from which the count shows. */
const MAX_MESSAGE_LENGTH = 2000;
const NEAR_LONGEST = 1800;

const tokenOfVisit = async () => visitToken(await structurePath(publicPath())).get();

/** Form to add a message to a feed of the room. */
export function ShareForm({ dialog: { feed_id, success_message, reload_room }, actions }: Props) {
  const [draft, setDraft] = useState<Draft>(() => messageDraftOf(feed_id));
  const [sentence, setSentence] = useState('');
  const [isBusy, setBusy] = useState(false);
  const isOpen = useRef(true);
  const [proof] = useState(() => new ProofOfWork(async () => askChallenge(feed_id, await tokenOfVisit())));
  const isLong = draft.message.length > MAX_MESSAGE_LENGTH;
  useEffect(() => {
    proof.begin();
    return () => {
      isOpen.current = false;
    };
  }, [proof]);
  const change = (fields: Partial<Draft>) => {
    const next = { ...draft, ...fields };
    keepDraft(feed_id, next);
    setDraft(next);
  };
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (isLong) {
      setSentence(say('longMessage', { count: MAX_MESSAGE_LENGTH }));
      return;
    }
    if (draft.message.trim() === '' && !draft.file) {
      setSentence(say('nothingToShare'));
      return;
    }
    setBusy(true);
    setSentence('');
    try {
      const isWaiting = await sendShare(feed_id, draft, { token: await tokenOfVisit(), proof: await proof.take() });
      forgetDraft(feed_id);
      if (isOpen.current) actions.closeDialog();
      // Append the approval note also to custom success messages, which could promise immediate publication.
      const sentence = isWaiting ? `${success_message} ${say('shareWaiting')}`.trim() : success_message;
      actions.shared(sentence, reload_room);
    } catch (error) {
      setSentence(error instanceof Error ? error.message : say('notShared'));
      setBusy(false);
      proof.begin();
    }
  };
  return (
    <form className={styles.form} onSubmit={(event) => void send(event)}>
      <label>
        {say('shareName')}
        <input
          type="text"
          dir="auto"
          required
          maxLength={120}
          autoComplete="name"
          value={draft.name}
          // biome-ignore lint/a11y/noAutofocus: dialogs focus their first field.
          autoFocus
          onChange={({ target }) => change({ name: target.value })}
        />
      </label>
      <label>
        {say('shareMessage')}
        <textarea
          rows={4}
          dir="auto"
          aria-invalid={isLong}
          value={draft.message}
          onChange={({ target }) => change({ message: target.value })}
        />
      </label>
      {draft.message.length > NEAR_LONGEST && (
        <p className={styles.count} data-long={isLong}>
          {draft.message.length} / {MAX_MESSAGE_LENGTH}
        </p>
      )}
      <label>
        {say('sharePicture')}
        <input type="file" accept="image/*" onChange={({ target }) => change({ file: target.files?.[0] ?? null })} />
      </label>
      {draft.file && (
        <p className={styles.file} dir="auto">
          {draft.file.name}
        </p>
      )}
      <p role="alert" className={styles.sentence}>
        {sentence}
      </p>
      <footer>
        <button type="button" className={styles.cancel} onClick={() => actions.closeDialog()}>
          {say('cancel')}
        </button>
        <button type="submit" className={styles.add} disabled={isBusy}>
          {say(isBusy ? 'sharing' : 'addNow')}
        </button>
      </footer>
    </form>
  );
}
