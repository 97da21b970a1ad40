import { Anchor, Group, Loader, NativeSelect, SegmentedControl, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconArrowLeft } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { flatRoom } from '../../../engine/document/room.ts';
import { shownElements } from '../../../engine/document/tree.ts';
import { accentOf } from '../../contract/accent-color.ts';
import type { Client } from '../../contract/client.ts';
import { previewFramePath, previewPath } from '../../contract/editor-path.ts';
import { ApiError } from '../../contract/errors.ts';

import { useClient } from '../../ui/client-context.ts';
import { takeUnsaved } from '../../ui/preview-handover.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { applyAccent } from '../parts/accent.ts';
import { PreviewView } from './PreviewView.tsx';
import classes from './preview.module.css';
import { checkToken, entryOf } from './preview-door.ts';
import { type Beginning, PHONES, type PreviewScreenKind, PreviewStore } from './preview-store.ts';
import { Timeline } from './Timeline.tsx';

const sizeOf = ({ width, height }: { width: number; height: number }) => `${width} × ${height}`;

const SCREENS: readonly { value: PreviewScreenKind; label: string; title: string }[] = [
  { value: 'window', label: 'Window', title: 'As large as this window' },
  { value: 'portrait', label: 'Portrait', title: `A phone, ${sizeOf(PHONES.portrait)}` },
  { value: 'landscape', label: 'Landscape', title: `A phone on its side, ${sizeOf(PHONES.landscape)}` },
];

/** On what a room is previewed, and as whom. */
const PreviewOptions = observer(({ store }: { store: PreviewStore }) => (
  <div className={classes.options}>
    <SegmentedControl
      size="xs"
      aria-label="Screen"
      value={store.screen}
      onChange={(value) => store.show(value as PreviewScreenKind)}
      data={SCREENS.map(({ value, label, title }) => ({ value, label: <span title={title}>{label}</span> }))}
    />
    <NativeSelect
      size="xs"
      aria-label="Begin"
      value={store.beginning}
      onChange={({ currentTarget }) => store.begin(currentTarget.value as Beginning)}
      data={[
        { value: 'room', label: 'In the room' },
        { value: 'entrance', label: 'At the entrance' },
        ...(store.opening ? [{ value: 'countdown', label: 'Before it opens' }] : []),
      ]}
    />
    {store.isProtected && (
      <NativeSelect
        size="xs"
        aria-label="Visitor"
        value={store.hasToken ? 'with' : 'without'}
        onChange={({ currentTarget }) => store.visit(currentTarget.value === 'with')}
        data={[
          { value: 'with', label: 'With access token' },
          { value: 'without', label: 'Without access token' },
        ]}
      />
    )}
  </div>
));

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
  const now = () => (performance.timeOrigin + performance.now()) / 1000;
  const none = { protectedIds: [], opening: null };
  const [room, settings, entry] = await Promise.all([
    client.rooms.read({ params: { id } }),
    client.visit.settings(),
    // Without them, the room is seen by those who have an access token.
    maySeeStructures ? entryOf(client, id, now()).catch(() => none) : none,
  ]);
  const whole = { ...flatRoom(room), ...takeUnsaved(id) };
  const shown = { ...whole, elements: shownElements(whole.elements) };
  const epoch = new Date().setHours(0, 0, 0, 0) / 1000;
  const check = (code: string) => checkToken(client, code, entry.protectedIds, now());
  return new PreviewStore({ room: shown, settings, epoch, entry, check }, () => performance.now());
}

/** A room as visitors get it, from its first second, with its time in one's own hands. */
export function PreviewScreen({ id }: { id: number }) {
  const client = useClient();
  const session = useSession();
  const [store, setStore] = useState<PreviewStore | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isGone = false;
    let end = () => {};
    readPreview(client, id, session.may('endpoints', 'view_any')).then(
      (read) => {
        if (isGone) return;
        applyAccent(accentOf(read.settings, { accent_color: null, room: read.room }).color);
        end = read.open();
        setStore(read);
      },
      (error: unknown) => {
        const isMissing = error instanceof ApiError && error.code === 'not_found';
        if (!isGone) setProblem(isMissing ? 'Space not found.' : 'The space could not be loaded.');
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
        <Anchor href={`/admin/editor/${id}`}>
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

/** The preview that this page stands in; undefined where it stands alone. */
const hostOf = () => (window.parent === window ? undefined : window.parent.enfiladePreview);

/** A previewed room in a frame of the preview, which is as large as a phone: what depends on the size of a page does so here. */
export function FramedPreview({ id }: { id: number }) {
  const [host] = useState(hostOf);
  // Objects of another window are no plain ones in this.
  const [room] = useState(() => host && structuredClone(host.room));
  useEffect(() => {
    if (!host) location.replace(previewPath(id));
  }, [host, id]);
  if (!host || !room) return null;
  return (
    <main className={classes.framed}>
      <PreviewView room={room} host={host} hasToken={host.hasToken} isInside={host.beginning === 'room'} />
    </main>
  );
}
