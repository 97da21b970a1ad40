import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { flatRoom } from '../../../engine/document/room.ts';
import { shownElements } from '../../../engine/document/tree.ts';
import type { Client } from '../../contract/client.ts';
import { previewFramePath } from '../../contract/editor-path.ts';
import { ApiError } from '../../contract/errors.ts';
import { useClient } from '../../ui/client-context.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { PreviewOptions } from './PreviewOptions.tsx';
import { PreviewView } from './PreviewView.tsx';
import classes from './preview.module.css';
import { checkToken, entryOf } from './preview-entry.ts';
import { PHONES, PreviewStore } from './preview-store.ts';
import { Timeline } from './Timeline.tsx';
import { unsavedRoom } from './unsaved-room.ts';

/** Pixels around a phone. */
const MARGIN = 16;

const FRAME_TITLES = { portrait: 'Room on a phone', landscape: 'Room on a phone on its side' } as const;

/** A page as large as a phone, as large as there is room for it. */
function Phone({ store, kind }: { store: PreviewStore; kind: keyof typeof PHONES }) {
  const { ref, width, height } = useElementSize();
  const phone = PHONES[kind];
  const scale = Math.min(1, (width - MARGIN * 2) / phone.width, (height - MARGIN * 2) / phone.height);
  return (
    <div ref={ref} className={classes.desk}>
      {width > 0 && (
        <div className={classes.phone} style={{ width: phone.width * scale, height: phone.height * scale }}>
          <iframe
            title={FRAME_TITLES[kind]}
            src={previewFramePath(store.room.id)}
            allow="fullscreen; xr-spatial-tracking"
            style={{ ...phone, transform: `scale(${scale})` }}
          />
        </div>
      )}
    </div>
  );
}

const Room = observer(({ store }: { store: PreviewStore }) => {
  const { screen, hasToken, beginning, turn } = store;
  const key = `${screen} ${turn}`;
  return screen === 'window' ? (
    <PreviewView key={key} room={store.room} host={store} hasToken={hasToken} isInside={beginning === 'room'} />
  ) : (
    <Phone key={key} store={store} kind={screen} />
  );
});

/** What is previewed: the room as the editor was left, or else as the server has it. */
async function readPreview(client: Client, id: number, maySeeStructures: boolean): Promise<PreviewStore> {
  const [room, settings, endpoints] = await Promise.all([
    client.rooms.read({ params: { id } }),
    client.visit.settings(),
    // Without them, the room is seen by those who have an access token.
    maySeeStructures ? client.endpoints.list({ query: {} }).catch(() => []) : [],
  ]);
  const whole = { ...flatRoom(room), ...unsavedRoom(id) };
  const shown = { ...whole, elements: shownElements(whole.elements) };
  const now = () => (performance.timeOrigin + performance.now()) / 1000;
  const epoch = new Date().setHours(0, 0, 0, 0) / 1000;
  const entry = entryOf(endpoints, id, now());
  const check = (code: string) => checkToken(client, code, entry.protectedIds, now());
  return new PreviewStore({ room: shown, settings, epoch, entry, check }, () => performance.now());
}

/** A room as visitors get it, from its first second, with its time in one's own hands. */
export function PreviewScreen() {
  const client = useClient();
  const session = useSession();
  const id = Number(useParams().id);
  const [store, setStore] = useState<PreviewStore | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isGone = false;
    let end = () => {};
    readPreview(client, id, session.may('endpoints', 'view_any')).then(
      (read) => {
        if (isGone) return;
        end = read.open();
        setStore(read);
      },
      (error: unknown) => {
        const isMissing = error instanceof ApiError && error.code === 'not_found';
        if (!isGone) setProblem(isMissing ? 'This space does not exist.' : 'The space could not be loaded.');
      },
    );
    return () => {
      isGone = true;
      end();
    };
  }, [client, session, id]);
  return (
    <main className={classes.screen}>
      <header className={classes.header}>
        <Anchor component={Link} to={`/admin/editor/${id}`}>
          <Group gap={4} wrap="nowrap">
            <IconArrowLeft size={16} aria-hidden />
            Back to the editor
          </Group>
        </Anchor>
        <h1>{store ? `Preview of ${store.room.title}` : 'Preview'}</h1>
        {store && <PreviewOptions store={store} />}
      </header>
      {store ? (
        <>
          <Room store={store} />
          <Timeline store={store} />
        </>
      ) : problem ? (
        <Text p="md" role="alert">
          {problem}
        </Text>
      ) : (
        <Loader m="auto" aria-label="Loading" />
      )}
    </main>
  );
}
