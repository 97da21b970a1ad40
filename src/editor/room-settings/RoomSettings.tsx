import { type DraftTab, DraftWindow } from '../edit-window/DraftWindow.tsx';
import type { DraftStore } from '../fields/draft-store.ts';
import { CameraTab } from './CameraTab.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import { RealtimeTab } from './RealtimeTab.tsx';
import { StartPopupTab } from './StartPopupTab.tsx';
import { TimedTab } from './TimedTab.tsx';
import { UserInterfaceTab } from './UserInterfaceTab.tsx';

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
