import { useEffect, useState } from 'react';
import { say } from '../texts/say.ts';
import type { VisitActions, VisitState } from '../visit-store.ts';
import { copyView } from './copy-view.ts';
import { Icon } from './Icon.tsx';
import styles from './overlay.module.css';
import { useDropdown } from './use-dropdown.ts';
import { useHeadset } from './use-headset.ts';

/** Whether this is a device that is held, and may tell how. */
const isHeld = () => matchMedia('(pointer: coarse)').matches && 'DeviceOrientationEvent' in window;

/** Looking around by moving the device: what stops it while it goes on. */
function useOrientation(actions: VisitActions) {
  const [stop, setStop] = useState<(() => void) | null>(null);
  const { stage } = actions;
  useEffect(() => () => stop?.(), [stop]);
  const toggle = async () => {
    if (stop) {
      setStop(null);
      return;
    }
    try {
      const { followOrientation } = await import('../../../engine/stage/camera/orientation.ts');
      if (!stage) return;
      const end = await followOrientation(stage.rig, () => stage.refresh());
      setStop(() => end);
    } catch {
      actions.tell(say('noOrientation'));
    }
  };
  return { isOn: stop !== null, toggle };
}

/** Sound, and what is not needed all the time. */
export function Tools({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { root, isOpen, setOpen } = useDropdown<HTMLDivElement>();
  const orientation = useOrientation(actions);
  const headset = useHeadset(state, actions);
  const { flags, settings } = state;
  const isMuted = state.muted || state.mutedFallback;
  const sound = say(isMuted ? 'unmute' : 'mute');
  const choose = (act: () => unknown) => () => {
    setOpen(false);
    void act();
  };
  return (
    <div className={styles.tools} ref={root}>
      <div className={styles.row}>
        {state.hasMedia && (
          <button
            type="button"
            className={styles.round}
            aria-label={sound}
            title={sound}
            onClick={() => actions.setMuted(!isMuted)}
          >
            <Icon name={isMuted ? 'muted' : 'sound'} />
          </button>
        )}
        <button
          type="button"
          className={styles.round}
          aria-label={say('more')}
          title={say('more')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="more" />
        </button>
      </div>
      {isOpen && (
        <ul className={styles.list}>
          {!state.isPreview && (
            <li>
              <button type="button" onClick={choose(() => copyView(state, actions))}>
                {say('copyLink')}
              </button>
            </li>
          )}
          {isHeld() && (
            <li>
              <button type="button" onClick={choose(orientation.toggle)}>
                {say(orientation.isOn ? 'lookByHand' : 'lookByMoving')}
              </button>
            </li>
          )}
          {headset.isThere && (
            <li>
              <button type="button" onClick={choose(headset.toggle)}>
                {say(headset.isOn ? 'leaveVr' : 'enterVr')}
              </button>
            </li>
          )}
          {!state.isPreview && (
            <li>
              <a href="?text" target={flags.isEmbed ? '_blank' : undefined}>
                {say('asText')}
              </a>
            </li>
          )}
          <li>
            <button
              type="button"
              onClick={choose(() => actions.follow({ type: 'modal_static', type_config: { name: 'help' } }))}
            >
              {say('help')}
            </button>
          </li>
          <li>
            <button
              type="button"
              onClick={choose(() => actions.follow({ type: 'modal_static', type_config: { name: 'about' } }))}
            >
              {say('about', { name: settings.name })}
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}
