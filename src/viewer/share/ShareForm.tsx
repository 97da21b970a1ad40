import { type FormEvent, useEffect, useRef, useState } from 'react';
import { publicPath } from '../address/page-place.ts';
import { say } from '../texts/say-all.ts';
import { structurePath } from '../visit/visit-data.ts';
import type { Dialog, VisitActions } from '../visit/visit-store.ts';
import { visitToken } from '../visit/visit-token.ts';
import { type Draft, forgetDraft, keepDraft, messageDraftOf } from './drafts.ts';
import { ProofOfWork } from './proof-of-work.ts';
import { askChallenge, sendShare } from './send-share.ts';
import styles from './share.module.css';

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
      {draft.file && <p className={styles.file}>{draft.file.name}</p>}
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
