import { useEffect, useState } from 'react';
import { isTyping } from '../../../engine/stage/interaction/typing.ts';
import { kiosk } from '../address/page-place.ts';
import { Icon } from '../parts/Icon.tsx';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';
import { AudioDescriptionButton, TextsButton } from './DescriptionTools.tsx';
import { LanguageMenu } from './LanguageMenu.tsx';
import menu from './menu.module.css';
import styles from './overlay.module.css';
import { SubtitleMenu } from './SubtitleMenu.tsx';
import { TextPageLink } from './TextPageLink.tsx';
import { copyView } from './use-address.ts';
import { useDropdown } from './use-dropdown.ts';
import { useHeadset } from './use-headset.ts';

/** Master volume from 0 to 100. */
function VolumeSlider({ state, actions }: { state: VisitState; actions: VisitActions }) {
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

/** Number of other visitors in the room, from their markers. */
function useCompany(actions: VisitActions): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const look = () => {
      // Visitors near several realtime elements have several markers.
      const bySubject = new Map<string, number>();
      for (const { subject } of actions.stage?.scene.state().markers ?? [])
        bySubject.set(subject, (bySubject.get(subject) ?? 0) + 1);
      setCount(Math.max(0, ...bySubject.values()));
    };
    look();
    return actions.events.subscribe((told) => {
      const isAbout = told.type === 'scene' && /^marker\.(?:added|removed)$/.test(told.event.type);
      if (isAbout || told.type === 'first_frame') look();
    });
  }, [actions]);
  return count;
}

/** Whether a key event is a shortcut, a repeat or typing. */
const isTaken = ({ target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent) =>
  ctrlKey || metaKey || altKey || repeat || isTyping(target);

/**
 * Full screen by button or F.
 * @returns whether it is available, whether it is on, and a toggle
 */
function useFullScreen(): { isThere: boolean; isOn: boolean; toggle(): void } {
  const [isOn, setOn] = useState(document.fullscreenElement !== null);
  useEffect(() => {
    const look = () => setOn(document.fullscreenElement !== null);
    const press = (event: KeyboardEvent) => {
      if (event.code === 'KeyF' && !isTaken(event)) toggle();
    };
    document.addEventListener('fullscreenchange', look);
    addEventListener('keydown', press);
    return () => {
      document.removeEventListener('fullscreenchange', look);
      removeEventListener('keydown', press);
    };
  }, []);
  return { isThere: document.fullscreenEnabled, isOn, toggle };
}

function toggle(): void {
  if (!document.fullscreenEnabled) return;
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  // Ignore a browser's refusal.
  done.catch(() => undefined);
}

/** Whether this is a handheld device with orientation events. */
const isHeld = () => matchMedia('(pointer: coarse)').matches && 'DeviceOrientationEvent' in window;

const loadOrientation = () => import('../../../engine/stage/camera/orientation.ts');

/** Device orientation control: a stop function while active. */
function useOrientation(actions: VisitActions) {
  const [stop, setStop] = useState<(() => void) | null>(null);
  useEffect(() => {
    // Some browsers ask for permission only right after a press.
    if (isHeld()) loadOrientation().catch(() => undefined);
  }, []);
  useEffect(() => {
    if (!stop) return;
    actions.followDevice(true);
    return () => {
      stop();
      actions.followDevice(false);
    };
  }, [stop, actions]);
  const toggle = async () => {
    if (stop) {
      setStop(null);
      return;
    }
    try {
      const { followOrientation } = await loadOrientation();
      const { stage } = actions;
      if (!stage) return;
      const end = await followOrientation(stage);
      setStop(() => end);
    } catch {
      actions.tell(say('noOrientation'));
    }
  };
  return { isOn: stop !== null, toggle };
}

/** Sound, and less used controls under More. */
export function Tools({ state, actions }: { state: VisitState; actions: VisitActions }) {
  const { root, isOpen, setOpen } = useDropdown<HTMLDivElement>();
  const orientation = useOrientation(actions);
  const headset = useHeadset(state, actions);
  const { flags, settings } = state;
  const others = useCompany(actions);
  const people = say('peopleHere', { count: others + 1 });
  const fullScreen = useFullScreen();
  const fullScreenName = say(fullScreen.isOn ? 'leaveFullScreen' : 'fullScreen');
  const isMuted = state.muted || state.mutedFallback;
  const sound = say(isMuted ? 'unmute' : 'mute');
  const choose = (act: () => unknown) => () => {
    setOpen(false);
    void act();
  };
  return (
    <div className={menu.tools} ref={root}>
      <div className={menu.row}>
        {others > 0 && (
          <p className={menu.people} role="img" aria-label={people} title={people}>
            <Icon name="people" />
            {others + 1}
          </p>
        )}
        {state.hasMedia && (
          <div className={menu.sound}>
            <VolumeSlider state={state} actions={actions} />
            <button
              type="button"
              className={styles.round}
              aria-label={sound}
              title={sound}
              onClick={() => actions.setMuted(!isMuted)}
            >
              <Icon name={isMuted ? 'muted' : 'sound'} />
            </button>
          </div>
        )}
        <SubtitleMenu state={state} actions={actions} />
        <AudioDescriptionButton state={state} actions={actions} />
        <TextsButton state={state} actions={actions} />
        <LanguageMenu state={state} actions={actions} />
        {fullScreen.isThere && (
          <button
            type="button"
            className={`${styles.round} ${menu.wide}`}
            aria-label={fullScreenName}
            title={`${fullScreenName} (F)`}
            onClick={fullScreen.toggle}
          >
            <Icon name={fullScreen.isOn ? 'leaveFullScreen' : 'fullScreen'} />
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
        <ul className={menu.list} data-list>
          {state.hasMedia && (
            <li className={menu.loudness}>
              {say('volume')}
              <VolumeSlider state={state} actions={actions} />
            </li>
          )}
          {fullScreen.isThere && (
            <li className={menu.narrow}>
              <button type="button" onClick={choose(fullScreen.toggle)}>
                {fullScreenName}
              </button>
            </li>
          )}
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
          {!state.isPreview && kiosk === null && (
            <li>
              <TextPageLink isEmbed={flags.isEmbed} />
            </li>
          )}
          {!state.isPreview && settings.statement_url && (
            <li>
              <a href={settings.statement_url} target={flags.isEmbed ? '_blank' : undefined}>
                {say('statement')}
              </a>
            </li>
          )}
          {state.consent && state.consent.parties.length > 0 && (
            <li>
              <button type="button" onClick={choose(() => state.consent!.open())}>
                {say('thirdParties')}
              </button>
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
