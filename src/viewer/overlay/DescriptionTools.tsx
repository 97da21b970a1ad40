import { useMemo } from 'react';
import type { Element } from '../../../engine/document/element.ts';
import { describedAt, describedOf } from '../long-texts/described.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import { serverTime } from '../visit/open-elements.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import styles from './overlay.module.css';

interface Props {
  state: VisitState;
  actions: VisitActions;
}

const hasDescription = ({ config }: Element): boolean =>
  Boolean((config as { audio_description?: string }).audio_description);

/** Switches the audio descriptions of videos; hidden in rooms without any. */
export function AudioDescriptionButton({ state, actions }: Props) {
  const isOn = state.audioDescription === true;
  if (!state.endpoint!.room!.elements.some(hasDescription)) return null;
  return (
    <button
      type="button"
      className={styles.round}
      aria-pressed={isOn}
      aria-label={say('audioDescription')}
      title={say('audioDescription')}
      onClick={() => actions.setAudioDescription(!isOn)}
    >
      <Icon name="audioDescription" />
    </button>
  );
}

/** Opens the detailed descriptions and transcripts at the visitor's place; hidden where there are none. */
export function TextsButton({ state, actions }: Props) {
  const room = state.endpoint!.room!;
  const now = Math.floor(serverTime(state));
  const hasTexts = useMemo(() => describedAt(room, state.viewPoint, now).length > 0, [room, state.viewPoint, now]);
  if (!hasTexts) return null;
  return (
    <button
      type="button"
      className={styles.round}
      aria-label={say('longTexts')}
      title={say('longTexts')}
      onClick={() => actions.showTexts(null)}
    >
      <Icon name="texts" />
    </button>
  );
}

/** Opens the transcript and description of a full-page video; hidden if it has none. */
export function FilmTextsButton({ state, actions }: Props) {
  const film = state.endpoint!.room!.elements.find(({ id }) => id === state.fullPage);
  const described = film && describedOf(film);
  if (!described) return null;
  const name = say(described.transcript ? 'transcript' : 'description');
  return (
    <button
      type="button"
      className={styles.round}
      aria-label={name}
      title={name}
      onClick={() => actions.showTexts(film)}
    >
      <Icon name="texts" />
    </button>
  );
}
