import '../../../engine/stage/stage.css';
import { Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Overlay } from '../overlay/Overlay.tsx';
import { RoomControls } from '../visit/room-controls.ts';
import type { VisitedRoom } from '../visit/visit-data.ts';
import { PreviewEntrance } from './PreviewEntrance.tsx';
import classes from './preview.module.css';
import { askAtDoor, countDown } from './preview-door.ts';
import { type PreviewHost, PreviewPlayer, type RoomPreview } from './preview-player.ts';

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
