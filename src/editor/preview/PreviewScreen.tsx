import '../../../engine/stage/stage.css';
import { Anchor, Group, Loader, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { shownElements } from '../../../engine/document/tree.ts';
import { ApiError } from '../../contract/errors.ts';
import { useClient } from '../../ui/client-context.ts';
import { PreviewControls } from '../../viewer/preview/PreviewControls.tsx';
import classes from './preview.module.css';
import { PreviewStore } from './preview-store.ts';
import { Timeline } from './Timeline.tsx';

const View = observer(({ store }: { store: PreviewStore }) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => store.open(container.current!), [store]);
  return (
    <div className={classes.view}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the room takes the arrow keys. */}
      <div ref={container} className={classes.stage} role="application" aria-label="Room" tabIndex={0} />
      <PreviewControls preview={store.controls} />
      {store.state === 'failed' && (
        <Text role="alert">The preview needs WebGL, which this browser does not offer.</Text>
      )}
    </div>
  );
});

/** A room as visitors get it, from its first second, with its time in one's own hands. */
export function PreviewScreen() {
  const client = useClient();
  const id = Number(useParams().id);
  const [store, setStore] = useState<PreviewStore | null>(null);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let isGone = false;
    Promise.all([client.rooms.read({ params: { id } }), client.visit.settings()]).then(
      ([room, settings]) => {
        if (isGone) return;
        const utcOffset = new Date().getTimezoneOffset();
        const shown = { ...room, elements: shownElements(room.elements) };
        setStore(new PreviewStore(shown, settings, utcOffset, () => performance.now()));
      },
      (error: unknown) => {
        const isMissing = error instanceof ApiError && error.code === 'not_found';
        if (!isGone) setProblem(isMissing ? 'This space does not exist.' : 'The space could not be loaded.');
      },
    );
    return () => {
      isGone = true;
    };
  }, [client, id]);
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
      </header>
      {store ? (
        <>
          <View store={store} />
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
