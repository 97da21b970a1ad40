import '../../../engine/stage/stage.css';
import { Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Overlay } from '../overlay/Overlay.tsx';
import { say } from '../texts/say-all.ts';
import { RoomControls } from '../visit/room-controls.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import classes from './preview.module.css';
import { askAtDoor, countDown } from './preview-door.ts';
import { type PreviewHost, PreviewPlayer, type RoomPreview } from './preview-player.ts';

/** Loading screen of a previewed room. */
function PreviewEntrance({ title, isReady, onEnter }: { title: string; isReady: boolean; onEnter(): void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isReady) button.current?.focus({ preventScroll: true });
  }, [isReady]);
  return (
    <button
      ref={button}
      type="button"
      className={classes.entrance}
      data-ready={isReady || undefined}
      aria-live="polite"
      onClick={() => isReady && onEnter()}
    >
      <svg viewBox="0 0 64 64" aria-hidden="true">
        <path d="M6 60V4h52v56" />
        <path d="M17 56V14h30v42" />
        <path d="M25 53V22h14v31" />
      </svg>
      <b>{title}</b>
      <span>{say(isReady ? 'invitation' : 'loading')}</span>
    </button>
  );
}

/** Overlay of a previewed room, inside part of a page. */
function PreviewControls({ preview }: { preview: RoomPreview }) {
  const [actions] = useState(() => new RoomControls(preview));
  return (
    <div id="overlay" className={classes.over}>
      <Overlay store={preview.store} actions={actions} />
    </div>
  );
}

interface Props {
  room: VisitedRoom;
  host: PreviewHost;
  /** Whether the visitor has an access token, or needs none. */
  hasToken: boolean;
  /** Whether they stand in the room at once, instead of at its entrance. */
  isInside: boolean;
}

/** A previewed room with the controls of its visitors, and their way into it: access token, countdown, entrance. */
export const PreviewView = observer(({ room, host, hasToken, isInside }: Props) => {
  const [player] = useState(() => new PreviewPlayer(room, host));
  const [isLetIn, setLetIn] = useState(hasToken);
  const [isEntered, setEntered] = useState(isInside);
  const view = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [isBefore, setBefore] = useState(false);
  const { opening } = host;
  useEffect(() => host.followTime((seconds) => setBefore(seconds < 0)), [host]);
  const waits = isLetIn && opening !== null && isBefore;
  const isShown = isLetIn && !waits;
  useEffect(() => {
    const door = { room, settings: host.settings };
    if (!isLetIn)
      return askAtDoor(
        view.current!,
        door,
        (code) => host.check(code),
        () => setLetIn(true),
      );
    if (!waits || !opening) return;
    const panel = countDown(view.current!, door, opening);
    host.entered();
    const stop = host.followTime((seconds) => panel.show(Math.max(0, -seconds)));
    return () => {
      stop();
      panel.close();
    };
  }, [isLetIn, waits, opening, room, host]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whoever is inside stays there.
  useEffect(() => (isShown ? player.open(stage.current!, !isEntered) : undefined), [player, isShown]);
  return (
    <div ref={view} className={classes.view}>
      {isShown && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the room takes the arrow keys. */}
          <div ref={stage} className={classes.stage} role="application" aria-label="Room" tabIndex={0} />
          <PreviewControls preview={player.controls} />
          {!isEntered && (
            <PreviewEntrance
              title={room.title}
              isReady={player.isDrawn}
              onEnter={() => {
                setEntered(true);
                player.enter();
                stage.current?.focus({ preventScroll: true });
              }}
            />
          )}
        </>
      )}
      {player.state === 'failed' && (
        <Text role="alert">The preview needs WebGL, which this browser does not offer.</Text>
      )}
    </div>
  );
});
