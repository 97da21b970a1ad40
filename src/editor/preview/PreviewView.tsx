import '../../../engine/stage/stage.css';
import { Text } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import type { PublicRoom } from '../../contract/entities.ts';
import { PreviewControls } from '../../viewer/preview/PreviewControls.tsx';
import { askAtDoor } from '../../viewer/preview/preview-door.ts';
import classes from './preview.module.css';
import { type PreviewHost, PreviewPlayer } from './preview-player.ts';

/** A previewed room with the controls of its visitors, behind its entrance where they have no access token. */
export const PreviewView = observer(
  ({ room, host, hasToken }: { room: PublicRoom; host: PreviewHost; hasToken: boolean }) => {
    const [player] = useState(() => new PreviewPlayer(room, host));
    const [isInside, setInside] = useState(hasToken);
    const view = useRef<HTMLDivElement>(null);
    const stage = useRef<HTMLDivElement>(null);
    useEffect(
      () =>
        isInside
          ? player.open(stage.current!)
          : askAtDoor(view.current!, { room, settings: host.settings }, () => setInside(true)),
      [player, isInside, room, host],
    );
    return (
      <div ref={view} className={classes.view}>
        {isInside && (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the room takes the arrow keys. */}
            <div ref={stage} className={classes.stage} role="application" aria-label="Room" tabIndex={0} />
            <PreviewControls preview={player.controls} />
          </>
        )}
        {player.state === 'failed' && (
          <Text role="alert">The preview needs WebGL, which this browser does not offer.</Text>
        )}
      </div>
    );
  },
);
