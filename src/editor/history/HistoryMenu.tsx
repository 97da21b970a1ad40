import { Menu } from '@mantine/core';
import { IconHistory, IconUsers } from '@tabler/icons-react';
import { observer } from 'mobx-react-lite';
import { IconAction } from '../../ui/IconAction.tsx';
import { useEditor } from '../session/editor-context.ts';

/** Steps of the history that the list shows at most. */
const SHOWN_STEPS = 100;

/** One's own history as a list, where pressing a step goes to the room as it was after it, and the way to that of everybody. */
export const HistoryMenu = observer(({ onAll }: { onAll(): void }) => {
  const { document } = useEditor();
  const steps = document.steps.slice(-SHOWN_STEPS).toReversed();
  const current = document.steps.findLast(({ isUndone }) => !isUndone)?.id ?? null;
  return (
    <Menu position="bottom-end" width={280} withinPortal>
      <Menu.Target>
        <IconAction label="History" icon={<IconHistory size={18} />} />
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <Menu.Item leftSection={<IconUsers size={16} aria-hidden />} onClick={onAll}>
          Changes by everybody…
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{steps.length === 0 ? 'You have not changed anything yet.' : 'Your own steps'}</Menu.Label>
        {steps.map(({ id, label, isUndone }) => (
          <Menu.Item
            key={id}
            c={isUndone ? 'dimmed' : undefined}
            disabled={document.isReadOnly}
            fw={id === current ? 600 : undefined}
            aria-current={id === current ? 'step' : undefined}
            onClick={() => document.goTo(id)}
          >
            {label}
          </Menu.Item>
        ))}
        {steps.length > 0 && (
          <Menu.Item
            disabled={document.isReadOnly}
            aria-current={current === null ? 'step' : undefined}
            onClick={() => document.goTo(null)}
          >
            As it was opened
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
});
