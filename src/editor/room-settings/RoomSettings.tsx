import { observer } from 'mobx-react-lite';
import { type DraftTab, DraftWindow } from '../edit-window/DraftWindow.tsx';
import { useDraft } from '../fields/contexts.ts';
import type { DraftStore } from '../fields/draft-store.ts';
import { Field } from '../fields/Field.tsx';
import { RichTextField } from '../rich-text/RichTextField.tsx';
import { CameraTab } from './CameraTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { RealtimeTab } from './RealtimeTab.tsx';
import { RoomLink } from './RoomLink.tsx';
import { TimedTab } from './TimedTab.tsx';

/** What visitors read when they enter. */
const StartPopupTab = observer(() => {
  const draft = useDraft();
  return (
    <>
      <Field path="config.show_start_popup" />
      <RichTextField
        label="Content"
        description="Also the description for search engines."
        error={draft.errors.description}
        html={draft.get('description') as string}
        onChange={(description) => draft.set({ description })}
      />
    </>
  );
});

/** The links in the corners of the room. */
function UserInterfaceTab() {
  return (
    <>
      <RoomLink name="top_left_link" label="Top left link" />
      <RoomLink name="top_right_link" label="Top right link" />
      <RoomLink name="bottom_left_link" label="Bottom left link" />
      <RoomLink name="bottom_right_link" label="Bottom right link" />
    </>
  );
}

const PATHS = {
  Camera: /^config\.camera/,
  'User interface': /^config\.(?:top|bottom)_/,
  'Start popup': /^(?:description|config\.show_start_popup)/,
  Timed: /^config\.(?:duration|show_timed|timed)/,
  Realtime: /^config\.realtime/,
} as const;

const ownedBy = (name: keyof typeof PATHS) => (path: string) => PATHS[name].test(path);

const TABS: readonly DraftTab[] = [
  { name: 'General', Part: GeneralTab, owns: (path) => !Object.values(PATHS).some((paths) => paths.test(path)) },
  { name: 'Camera', Part: CameraTab, owns: ownedBy('Camera') },
  { name: 'User interface', Part: UserInterfaceTab, owns: ownedBy('User interface') },
  { name: 'Start popup', Part: StartPopupTab, owns: ownedBy('Start popup') },
  { name: 'Timed', Part: TimedTab, owns: ownedBy('Timed') },
  { name: 'Realtime', Part: RealtimeTab, owns: ownedBy('Realtime') },
];

/** What concerns the whole room. */
export function RoomSettings({ draft }: { draft: DraftStore }) {
  return <DraftWindow label="Room settings" title="Room settings" draft={draft} tabs={TABS} />;
}
