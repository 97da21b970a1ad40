import { Button, Group, Modal, Stack, Tabs } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ComponentType, useEffect, useState } from 'react';
import { confirm } from '../../ui/confirmation/confirmation-store.ts';
import { DraftContext } from '../fields/draft-context.ts';
import { DraftStore } from '../fields/draft-store.ts';
import { SubjectContext } from '../fields/subject-context.ts';
import { tabValue } from '../fields/tab-value.ts';
import { useSaveKey } from '../keys/use-save-key.ts';
import { useEditor } from '../session/editor-context.ts';
import { CameraTab } from './CameraTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { RealtimeTab } from './RealtimeTab.tsx';
import classes from './room-settings.module.css';
import { StartPopupTab } from './StartPopupTab.tsx';
import { TimedTab } from './TimedTab.tsx';
import { UserInterfaceTab } from './UserInterfaceTab.tsx';

/** The tabs, what stands in each, and which fields are theirs. */
const TABS: readonly { name: string; Part: ComponentType; owns: RegExp }[] = [
  { name: 'Camera', Part: CameraTab, owns: /^config\.camera/ },
  { name: 'User interface', Part: UserInterfaceTab, owns: /^config\.(?:top|bottom)_/ },
  { name: 'Start popup', Part: StartPopupTab, owns: /^(?:description|config\.show_start_popup)/ },
  { name: 'Timed', Part: TimedTab, owns: /^config\.(?:duration|show_timed|timed)/ },
  { name: 'Realtime', Part: RealtimeTab, owns: /^config\.realtime/ },
];
const ALL = [{ name: 'General', Part: GeneralTab, owns: /^/ }, ...TABS];
const tabOf = (path: string) => TABS.find(({ owns }) => owns.test(path))?.name ?? 'General';

/** What concerns the whole room. It works on a copy that the room shows while one types. */
export const RoomSettingsDialog = observer(({ onClose }: { onClose(): void }) => {
  const { document } = useEditor();
  const [draft] = useState(() => new DraftStore(document, { kind: 'room', label: 'Room settings' }));
  const [tab, setTab] = useState('general');
  useEffect(() => () => draft.cancel(), [draft]);
  const wrong = Object.keys(draft.errors).map(tabOf);
  const cancel = () => {
    draft.cancel();
    onClose();
  };
  // Cancel says what it does; Esc and the backdrop are pressed by accident.
  const dismiss = async () => {
    const question = {
      title: 'Discard changes?',
      text: 'What you changed in this dialog is not saved yet.',
      action: 'Discard',
      destroys: true,
    };
    if (!draft.isDirty || (await confirm(question))) cancel();
  };
  const save = () => {
    if (draft.save()) onClose();
    else setTab(tabOf(Object.keys(draft.errors)[0]!));
  };
  useSaveKey(save, { isDialog: true });
  return (
    <Modal opened onClose={() => void dismiss()} title="Room settings" size="lg" centered>
      <DraftContext value={draft}>
        <SubjectContext value="room">
          <Tabs value={tabValue(tab)} onChange={(next) => next && setTab(next)} keepMounted={false}>
            <Tabs.List mb="md">
              {ALL.map(({ name }) => (
                <Tabs.Tab key={name} value={tabValue(name)} c={wrong.includes(name) ? 'red' : undefined}>
                  {name}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {ALL.map(({ name, Part }) => (
              <Tabs.Panel key={name} value={tabValue(name)} className={classes.panel}>
                <Stack gap="sm">
                  <Part />
                </Stack>
              </Tabs.Panel>
            ))}
          </Tabs>
        </SubjectContext>
      </DraftContext>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={cancel}>
          Cancel
        </Button>
        <Button disabled={draft.isSaving} onClick={save}>
          Save
        </Button>
      </Group>
    </Modal>
  );
});
