import { Button, CloseButton, Group, ScrollArea, Stack, Tabs, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { capabilities } from '../../../engine/document/element.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { showNotice } from '../../ui/notices.ts';
import { type Editor, useEditor } from '../editor-context.ts';
import { FORMS } from '../forms/forms.ts';
import editorClasses from '../screen/editor.module.css';
import { titleOf } from '../sidebar/element-actions.ts';
import { DraftContext } from './draft-context.ts';
import { DraftStore } from './draft-store.ts';
import classes from './edit-window.module.css';
import { SubjectContext } from './subject-context.ts';
import { tabValue } from './tab-value.ts';

/** A draft of an element. */
function draftOf({ document }: Editor, id: number): DraftStore {
  const element = findElement(document.room.elements, id);
  return new DraftStore(document, { kind: 'element', id, label: `Edit “${element ? titleOf(element) : id}”` });
}

/** Where errors belong: the tab of a path. */
function tabOf(path: string): string {
  if (path.startsWith('config.navigation')) return 'Navigation';
  if (path.startsWith('config.model_')) return 'Model';
  if (path.startsWith('config.feed')) return 'Data feed';
  return path.startsWith('config.') && !/^config\.(?:proximity|timed|realtime)/.test(path) ? 'Content' : 'Settings';
}

/** What can be set of the selected element. It works on a copy that the room shows while one types. */
export const EditWindow = observer(({ id }: { id: number }) => {
  const editor = useEditor();
  const { document, selection } = editor;
  const [draft] = useState(() => draftOf(editor, id));
  const [tab, setTab] = useState('content');
  const element = findElement(document.room.elements, id);

  useEffect(
    () => () => {
      // Whoever goes on to another element has not thrown away what was typed; Cancel and Esc have.
      if (draft.isDirty && selection.selectedId !== null && findElement(document.room.elements, id)) {
        if (!draft.save()) showNotice(`What was wrong was left out: ${Object.values(draft.errors).join(' ')}`);
      }
      draft.cancel();
    },
    [draft, document, selection, id],
  );
  if (!element) return null;

  const form = FORMS[element.element];
  const tabs = Object.entries(form);
  const wrong = new Set(Object.keys(draft.errors).map(tabOf));
  const save = () => {
    if (draft.save()) return selection.select(null);
    const first = tabs.find(([name]) => new Set(Object.keys(draft.errors).map(tabOf)).has(name));
    if (first) setTab(first[0]);
  };
  const cancel = () => {
    draft.cancel();
    selection.select(null);
  };
  const onKey = (event: KeyboardEvent) => {
    const isSave = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's';
    // A list or a dialog that is open takes Esc for itself.
    const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true';
    const isCancel = event.key === 'Escape' && !isListOpen && !event.defaultPrevented && !event.nativeEvent.isComposing;
    const isOwn = event.currentTarget.contains(event.target as Node);
    if (!isOwn || !(isSave || isCancel)) return;
    event.preventDefault();
    event.stopPropagation();
    if (isSave) save();
    else cancel();
  };
  return (
    <section className={`${editorClasses.window} ${classes.window}`} aria-label="Edit window" onKeyDown={onKey}>
      <header className={classes.header}>
        <Title order={2} size="h5">
          {capabilities[element.element].label}
        </Title>
        <CloseButton aria-label="Close the edit window" onClick={cancel} />
      </header>
      <DraftContext value={draft}>
        <SubjectContext value={element.element}>
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
        </SubjectContext>
      </DraftContext>
      <footer className={classes.footer}>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={cancel}>
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
