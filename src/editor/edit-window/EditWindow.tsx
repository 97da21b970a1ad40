import { Button, CloseButton, Group, ScrollArea, Stack, Tabs, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useState } from 'react';
import { descriptors } from '../../../engine/document/element.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { formOf, iconOf } from '../elements/forms.ts';
import { IconsContext } from '../elements/parts/form.ts';
import { DraftContext } from '../fields/draft-context.ts';
import type { DraftStore } from '../fields/draft-store.ts';
import { SubjectContext } from '../fields/subject-context.ts';
import { tabValue } from '../fields/tab-value.ts';
import { useSaveKey } from '../keys/use-save-key.ts';
import editorClasses from '../layout/editor.module.css';
import { useEditor } from '../session/editor-context.ts';
import { OthersWriting } from '../together/Others.tsx';
import classes from './edit-window.module.css';

/** Where errors belong: the tab of a path. */
function tabOf(path: string): string {
  if (path.startsWith('config.navigation')) return 'Navigation';
  if (path.startsWith('config.model_')) return 'Model';
  if (path.startsWith('config.feed')) return 'Data feed';
  return path.startsWith('config.') && !/^config\.(?:proximity|timed|realtime)/.test(path) ? 'Content' : 'Settings';
}

/**
 * What can be set of the selected element. It works on a copy that the room shows while one types; Cancel discards it,
 * every other way out keeps it.
 */
export const EditWindow = observer(({ id, draft }: { id: number; draft: DraftStore }) => {
  const { document, drafts } = useEditor();
  const [tab, setTab] = useState('content');
  const element = findElement(document.room.elements, id);
  const tabs = Object.entries(element ? formOf(element.element).tabs : {});
  const wrong = new Set(Object.keys(draft.errors).map(tabOf));
  const save = () => {
    if (drafts.save()) return;
    const first = tabs.find(([name]) => new Set(Object.keys(draft.errors).map(tabOf)).has(name));
    if (first) setTab(first[0]);
  };
  useSaveKey(save);
  if (!element) return null;

  const onKey = (event: KeyboardEvent) => {
    // A list or a dialog that is open takes Esc for itself.
    const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true';
    const isLeave = event.key === 'Escape' && !isListOpen && !event.defaultPrevented && !event.nativeEvent.isComposing;
    const isOwn = event.currentTarget.contains(event.target as Node);
    if (!isOwn || !isLeave) return;
    event.preventDefault();
    event.stopPropagation();
    drafts.close();
  };
  return (
    <section className={`${editorClasses.window} ${classes.window}`} aria-label="Edit window" onKeyDown={onKey}>
      <header className={classes.header}>
        <Title order={2} size="h5">
          {descriptors[element.element].label}
        </Title>
        <CloseButton aria-label="Close the edit window" onClick={() => drafts.close()} />
      </header>
      <DraftContext value={draft}>
        <OthersWriting id={element.id} />
        <SubjectContext value={element.element}>
          <IconsContext value={iconOf}>
            {' '}
            <Tabs
              value={tabValue(tab)}
              onChange={(next) => next && setTab(next)}
              keepMounted={false}
              className={classes.tabs}
            >
              <Tabs.List>
                {tabs.map(([name]) => (
                  <Tabs.Tab key={name} value={tabValue(name)} c={wrong.has(name) ? 'red' : undefined}>
                    {name}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {tabs.map(([name, Part]) => (
                <Tabs.Panel key={name} value={tabValue(name)} className={classes.panel}>
                  <ScrollArea h="100%" type="auto">
                    <Stack gap="sm" p="sm">
                      <Part />
                    </Stack>
                  </ScrollArea>
                </Tabs.Panel>
              ))}
            </Tabs>
          </IconsContext>
        </SubjectContext>
      </DraftContext>
      <footer className={classes.footer}>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={() => drafts.cancel()}>
            Cancel
          </Button>
          <Button size="sm" disabled={draft.isSaving} onClick={save}>
            Save
          </Button>
        </Group>
      </footer>
    </section>
  );
});
