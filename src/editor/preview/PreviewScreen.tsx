import '../../../engine/stage/stage.css';
import { Anchor, Button, Group, Loader, Modal, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import DOMPurify from 'dompurify';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { formatTime } from '../../../engine/scene/time-format.ts';
import { ApiError } from '../../contract/errors.ts';
import { useClient } from '../../ui/client-context.ts';
import { roomOf } from '../saving/server-state.ts';
import classes from './preview.module.css';
import { PreviewStore } from './preview-store.ts';
import { Timeline } from './Timeline.tsx';

/** The room's timed pop-up: closes with one of its actions, or with OK where it has none. */
const Popup = observer(({ store }: { store: PreviewStore }) => {
  const { timed_popup_text, timed_popup_action_required: isRequired, ...config } = store.room.config;
  const { timed_popup_action_left, timed_popup_action_center, timed_popup_action_right } = config;
  const actions = [timed_popup_action_left, timed_popup_action_center, timed_popup_action_right].filter(
    (action) => action !== null && action.name !== '',
  );
  const close = () => store.dismissPopup();
  return (
    <Modal
      opened={store.isPopupOpen}
      onClose={close}
      withCloseButton={!isRequired}
      closeOnClickOutside={!isRequired}
      closeOnEscape={!isRequired}
      aria-label="Pop-up"
      centered
    >
      <div
        ref={(holder) => {
          holder?.replaceChildren(DOMPurify.sanitize(timed_popup_text, { RETURN_DOM_FRAGMENT: true }));
        }}
      />
      <Group mt="md" justify="flex-end">
        {actions.length === 0 && <Button onClick={close}>OK</Button>}
        {actions.map((action) => (
          <Button key={action!.name} variant="default" onClick={close}>
            {action!.name}
          </Button>
        ))}
      </Group>
    </Modal>
  );
});

const View = observer(({ store }: { store: PreviewStore }) => {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => store.open(container.current!), [store]);
  const { show_timed_timer: corner } = store.room.config;
  return (
    <div className={classes.view}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the room takes the arrow keys. */}
      <div ref={container} className={classes.stage} role="application" aria-label="Room" tabIndex={0} />
      {store.timer !== null && corner !== 'off' && (
        <output className={classes.timer} data-corner={corner} aria-label="Time left">
          {formatTime(store.timer)}
        </output>
      )}
      {store.cues.length > 0 && <p className={classes.cues}>{store.cues.join('\n')}</p>}
      {store.state === 'failed' && (
        <Text role="alert">The preview needs WebGL, which this browser does not offer.</Text>
      )}
      <Popup store={store} />
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
    client.rooms.read({ params: { id } }).then(
      (answer) => {
        if (isGone) return;
        const utcOffset = new Date().getTimezoneOffset();
        setStore(new PreviewStore(roomOf(answer), utcOffset, () => performance.now()));
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
