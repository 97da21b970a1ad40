import { observer } from 'mobx-react-lite';
import { descriptors } from '../../../engine/document/element.ts';
import { findElement } from '../../../engine/document/tree.ts';
import { formOf, iconOf } from '../elements/forms.ts';
import { IconsContext } from '../elements/parts/form.ts';
import { SubjectContext } from '../fields/contexts.ts';
import type { DraftStore } from '../fields/draft-store.ts';
import { useEditor } from '../session/editor-context.ts';
import { OthersWriting } from '../together/Others.tsx';
import { DraftWindow } from './DraftWindow.tsx';

/** The tab of a field, by its path. */
function tabOf(path: string): string {
  if (path.startsWith('config.navigation')) return 'Navigation';
  if (path.startsWith('config.model_')) return 'Model';
  if (path.startsWith('config.feed')) return 'Data feed';
  return path.startsWith('config.') && !/^config\.(?:proximity|timed|realtime)/.test(path) ? 'Content' : 'Settings';
}

/** What can be set of the selected element. */
export const EditWindow = observer(({ draft }: { draft: DraftStore }) => {
  const { document } = useEditor();
  const { id } = draft.subject;
  const element = findElement(document.room.elements, id);
  if (!element) return null;
  const tabs = Object.entries(formOf(element.element).tabs).map(([name, Part]) => ({
    name,
    Part,
    owns: (path: string) => tabOf(path) === name,
  }));
  return (
    <SubjectContext value={element.element}>
      <IconsContext value={iconOf}>
        <DraftWindow label="Edit window" title={descriptors[element.element].label} draft={draft} tabs={tabs}>
          <OthersWriting id={id} />
        </DraftWindow>
      </IconsContext>
    </SubjectContext>
  );
});
