import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import menu from './menu.module.css';

/** Master volume from 0 to 100. */
export function VolumeSlider({ state, actions }: { state: VisitState; actions: VisitActions }) {
  return (
    <input
      type="range"
      className={menu.volume}
      min="0"
      max="100"
      step="5"
      aria-label={say('volume')}
      title={say('volume')}
      value={state.volume ?? 100}
      onChange={({ currentTarget }) => actions.setVolume(Number(currentTarget.value))}
    />
  );
}
