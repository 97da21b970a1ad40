import { Text, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconCloudCheck, IconCloudOff, IconCloudUp } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import classes from '../layout/editor.module.css';
import { useEditor } from '../session/editor-context.ts';

/** Whether everything is saved, in words and as a sign. Beside it stands what can be done about what waits. */
export const SaveState = observer(() => {
  const { saving } = useEditor();
  const { text, queue } = saving;
  const isWaiting = queue.waiting > 0;
  const isStuck = isWaiting && text !== 'Saving';
  const { conflict } = saving;
  const Sign = !isWaiting
    ? IconCloudCheck
    : !isStuck
      ? IconCloudUp
      : queue.hasFailed
        ? IconCloudOff
        : IconAlertTriangle;
  const words = (
    <Text span size="sm" c={isStuck ? undefined : 'dimmed'} truncate className={classes.saveText}>
      {text}
    </Text>
  );
  const look = { display: 'flex', alignItems: 'center', gap: 6, marginInline: 'auto 8px', minWidth: 0 };
  return (
    <span style={look}>
      <Sign size={18} aria-hidden color={isStuck ? 'var(--mantine-color-error)' : 'var(--mantine-color-dimmed)'} />
      <span role="status" aria-label="Saving" style={{ display: 'contents' }}>
        {words}
      </span>
      {conflict && (
        <UnstyledButton fz="sm" td="underline" onClick={() => saving.ask()}>
          Decide
        </UnstyledButton>
      )}
      {queue.state === 'failing' && (
        <UnstyledButton fz="sm" td="underline" onClick={() => queue.resume()}>
          Try now
        </UnstyledButton>
      )}
      {queue.isKeepingFailed && isWaiting && (
        <Text span size="sm" c="red" role="alert">
          Keep this page open: the browser stores nothing.
        </Text>
      )}
    </span>
  );
});
