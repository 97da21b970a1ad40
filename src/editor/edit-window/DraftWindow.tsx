import { Button, CloseButton, Group, ScrollArea, Stack, Tabs, Title } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type ComponentType, type KeyboardEvent, type ReactNode, useState } from 'react';
import { descriptors } from '../../../engine/document/element.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { inSentence, say } from '../../ui/language/say.ts';
import { formOf, iconOf } from '../elements/forms.ts';
import { IconsContext } from '../elements/parts/form.ts';
import { DraftContext, SubjectContext } from '../fields/contexts.ts';
import type { DraftStore } from '../fields/draft-store.ts';
import { useSaveKey } from '../keys/use-editor-keys.ts';
import { EditingControls } from '../layout/EditingControls.tsx';
import editorClasses from '../layout/editor.module.css';
import { Resizer } from '../layout/Resizer.tsx';
import { useEditor } from '../session/editor-context.ts';
import { OthersWriting } from '../together/Others.tsx';
import classes from './edit-window.module.css';

/** A tab, its content, and a predicate for the fields in it. */
export interface DraftTab {
  /** Id, which can't contain spaces. */
  id: string;
  label: string;
  Part: ComponentType;
  owns(path: string): boolean;
}

/** Edit window of a draft: Save closes it, Cancel undoes its edits, Esc and the close button close it, too. */
export const DraftWindow = observer(
  ({
    label,
    title,
    draft,
    tabs,
    children,
  }: {
    label: string;
    title: string;
    draft: DraftStore;
    tabs: readonly DraftTab[];
    /** Content above the tabs. */
    children?: ReactNode;
  }) => {
    const { drafts } = useEditor();
    const [tab, setTab] = useState(tabs[0]?.id ?? '');
    const wrong = Object.keys(draft.errors);
    const isWrong = ({ owns }: DraftTab) => wrong.some(owns);
    const save = () => {
      if (drafts.save()) return;
      const problems = Object.keys(draft.errors);
      const first = tabs.find(({ owns }) => problems.some(owns));
      if (first) setTab(first.id);
    };
    useSaveKey(save);
    const onKey = (event: KeyboardEvent) => {
      // Esc closes an open list or dialog first.
      const isListOpen = (event.target as Element).getAttribute('aria-expanded') === 'true';
      const isLeave =
        event.key === 'Escape' && !isListOpen && !event.defaultPrevented && !event.nativeEvent.isComposing;
      const isOwn = event.currentTarget.contains(event.target as Node);
      if (!isOwn || !isLeave) return;
      event.preventDefault();
      event.stopPropagation();
      drafts.close();
    };
    return (
      <section
        className={`${editorClasses.window} ${classes.window}`}
        aria-label={label}
        onKeyDown={onKey}
        // Errors appear when a field loses the focus: during typing, input may still become valid.
        onBlur={() => draft.isWaiting && draft.sayProblems()}
      >
        <Resizer panel="window" label={`Width of the ${inSentence(label)}`} />
        <header className={classes.header}>
          <Title order={2} size="h5">
            {title}
          </Title>
          <CloseButton aria-label={`Close the ${inSentence(label)}`} onClick={() => drafts.close()} />
        </header>
        <DraftContext value={draft}>
          {children}
          <Tabs value={tab} onChange={(next) => next && setTab(next)} keepMounted={false} className={classes.tabs}>
            <Tabs.List>
              {tabs.map((each) => (
                <Tabs.Tab key={each.id} value={each.id} c={isWrong(each) ? 'red' : undefined}>
                  {each.label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {tabs.map(({ id, Part }) => (
              <Tabs.Panel key={id} value={id} className={classes.panel}>
                <ScrollArea h="100%" type="auto">
                  <EditingControls>
                    <Stack gap="sm" p="sm">
                      <Part />
                    </Stack>
                  </EditingControls>
                </ScrollArea>
              </Tabs.Panel>
            ))}
          </Tabs>
        </DraftContext>
        <footer className={classes.footer}>
          <EditingControls>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" size="sm" onClick={() => drafts.cancel()}>
                Cancel
              </Button>
              <Button size="sm" onClick={save}>
                Save
              </Button>
            </Group>
          </EditingControls>
        </footer>
      </section>
    );
  },
);

function tabOf(path: string): string {
  if (path.startsWith('config.navigation')) return 'Navigation';
  if (path.startsWith('config.model_')) return 'Model';
  if (path.startsWith('config.feed')) return 'Data feed';
  return path.startsWith('config.') && !/^config\.(?:proximity|timed|realtime)/.test(path) ? 'Content' : 'Settings';
}

/** Edit window of the selected element. */
export const EditWindow = observer(({ draft }: { draft: DraftStore }) => {
  const { document } = useEditor();
  const { id } = draft.subject;
  const element = findElement(document.room.elements, id);
  if (!element) return null;
  const tabs = Object.entries(formOf(element.element).tabs).map(([name, Part]) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    label: say(name),
    Part,
    owns: (path: string) => tabOf(path) === name,
  }));
  return (
    <SubjectContext value={element.element}>
      <IconsContext value={iconOf}>
        <DraftWindow label="Edit window" title={say(descriptors[element.element].label)} draft={draft} tabs={tabs}>
          <OthersWriting id={id} />
        </DraftWindow>
      </IconsContext>
    </SubjectContext>
  );
});
