import { ColorInput, Fieldset, Paper, Select, SimpleGrid, Stack, Switch } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { byPath } from '../../../engine/document/field-paths.ts';
import type { Link } from '../../../engine/document/navigation.ts';
import type { Room } from '../../../engine/document/room.ts';
import type { RoomConfig } from '../../../engine/document/room-config.ts';
import { meshProblem } from '../../../engine/document/splats.ts';
import { viewPointsOf } from '../../../engine/document/view-points.ts';
import type { StartScreen } from '../../../engine/tools/camera/camera-views.ts';
import { type Camera, CameraSwitches } from '../../ui/camera/CameraFields.tsx';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { showNotification } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { ViewButtons } from '../canvas/Canvas.tsx';
import { goToStart, startAsSeen } from '../canvas/camera-views.ts';
import { type DraftTab, DraftWindow } from '../edit-window/DraftWindow.tsx';
import { useDraft } from '../fields/contexts.ts';
import type { DraftStore } from '../fields/draft-store.ts';
import { Field, Fields } from '../fields/Field.tsx';
import { LinkFields } from '../navigation/NavigationFields.tsx';
import { NumericPanel } from '../numeric-panel/NumericPanel.tsx';
import { RichTextField } from '../rich-text/RichTextField.tsx';
import { useEditor } from '../session/editor-context.ts';
import { titleOf } from '../session/element-names.ts';
import { StartPreview } from './StartPreview.tsx';

/** Visibility of visitors to each other. */
const RealtimeTab = observer(() => {
  const draft = useDraft();
  return (
    <>
      <Field path="config.realtime" />
      <MediaField
        label="Model"
        description="Drawn for each visitor; without one, a figure."
        accept={['object']}
        problemOf={meshProblem}
        file={draft.get('config.realtime_file') as RoomConfig['realtime_file']}
        error={draft.errors['config.realtime_file_id']}
        onChange={(chosen) =>
          draft.set({
            'config.realtime_file': chosen && { id: chosen.id, name: chosen.name, type: chosen.type, url: chosen.url },
            'config.realtime_file_id': chosen?.id ?? null,
            'config.realtime_file_url': chosen?.url ?? '',
          })
        }
      />
      <Field path="config.realtime_scale" step={0.1} />
      <Field path="config.realtime_rotate" label="Realtime rotation (degrees)" unit="degrees" step={15} />
    </>
  );
});

/** The view point where visits start; nothing in rooms without any. */
const StartPlace = observer(() => {
  const draft = useDraft();
  const { document } = useEditor();
  const points = viewPointsOf(document.room.elements);
  const start = draft.get('config.start_view_point_id') as number | null;
  const isLost = start !== null && !points.some(({ id }) => id === start);
  if (points.length === 0 && !isLost) return null;
  return (
    <Select
      label="Start"
      description="Visits start at this view point, or at the start view below."
      placeholder="Start view"
      clearable
      searchable
      error={draft.errors['config.start_view_point_id']}
      data={[
        ...points.map((point) => ({ value: String(point.id), label: point.config.name || titleOf(point) })),
        ...(isLost ? [{ value: String(start), label: `Missing view point ${start}` }] : []),
      ]}
      value={start === null ? null : String(start)}
      onChange={(id) => draft.set({ 'config.start_view_point_id': id === null ? null : Number(id) })}
    />
  );
});

/** The visitors' start view, and limits of their movement. */
const CameraTab = observer(() => {
  const draft = useDraft();
  const camera = draft.get('config.camera') as Camera;
  const { document } = useEditor();
  const setFrom = (screen: StartScreen) => {
    const fields = startAsSeen(document, screen);
    if (fields) draft.set(byPath(fields));
  };
  return (
    <>
      <StartPlace />
      <StartPreview screen="landscape" />
      <ViewButtons onGo={() => goToStart(document)} onSet={() => setFrom('landscape')} />
      <NumericPanel
        label="Camera"
        fields={[
          { path: 'config.camera.position', label: 'Position (units)' },
          { path: 'config.camera.rotation.x', label: 'Rotation: up and down (degrees)', unit: 'degrees', step: 5 },
          { path: 'config.camera.rotation.y', label: 'Rotation: left and right (degrees)', unit: 'degrees', step: 5 },
          { path: 'config.camera.near', label: 'Near (units)', step: 0.1 },
          { path: 'config.camera.far', label: 'Far (units)', step: 100 },
          { path: 'config.camera.fov', label: 'Field of view (degrees)' },
        ]}
      />
      <Switch
        label="Own start view for portrait screens"
        description="Phones held upright show a narrow part of the room; start them closer, or at another place."
        checked={camera.portrait !== null}
        onChange={(event) => {
          if (event.currentTarget.checked) setFrom('portrait');
          else draft.set({ 'config.camera': { ...camera, portrait: null } });
        }}
      />
      {camera.portrait && (
        <>
          <StartPreview screen="portrait" />
          <ViewButtons onGo={() => goToStart(document, 'portrait')} onSet={() => setFrom('portrait')} />
          <NumericPanel
            label="Portrait start view"
            fields={[
              { path: 'config.camera.portrait.position', label: 'Position (units)' },
              { path: 'config.camera.portrait.target', label: 'Target (units)' },
              { path: 'config.camera.portrait.fov', label: 'Field of view (degrees)' },
            ]}
          />
        </>
      )}
      <CameraSwitches
        camera={camera}
        onChange={(changes) => draft.set({ 'config.camera': { ...camera, ...changes } })}
      />
      {camera.manual_panning && (
        <NumericPanel
          label="Panning"
          fields={[
            { path: 'config.camera.min_pan', label: 'Lowest position (units)' },
            { path: 'config.camera.max_pan', label: 'Highest position (units)' },
          ]}
        />
      )}
    </>
  );
});

/** The room's sequence, its countdown, and its pop-up. */
const TimedTab = observer(() => {
  const draft = useDraft();
  return (
    <>
      <Field path="config.duration" />
      <Field path="config.show_timed_timer" />
      <Field path="config.show_timed_popup" />
      {draft.get('config.show_timed_popup') === true && (
        <>
          <Field path="config.timed_popup_offset" />
          <RichTextField
            label="Pop-up text"
            error={draft.errors['config.timed_popup_text']}
            html={draft.get('config.timed_popup_text') as string}
            onChange={(text) => draft.set({ 'config.timed_popup_text': text })}
          />
          <RoomLink name="timed_popup_action_left" label="Left action" />
          <RoomLink name="timed_popup_action_center" label="Middle action" />
          <RoomLink name="timed_popup_action_right" label="Right action" />
          <Field path="config.timed_popup_action_required" />
        </>
      )}
    </>
  );
});

/** The room's template. Its appearance is set with it, so that the room shows it immediately. */
const TemplateField = observer(() => {
  const draft = useDraft();
  const { client } = useEditor();
  const session = useSession();
  const template = draft.get('template') as Room['template'];
  const choose = async (value: string | null) => {
    const id = value === null ? null : Number(value);
    const chosen = id === null ? null : await client.templates.read({ params: { id } });
    const camera = draft.get('config.camera') as RoomConfig['camera'];
    const { rotate, rotate_left_button } = chosen?.config.camera ?? camera;
    // Without rotation, only the front of a 360° photo would be visible.
    const turned = chosen?.model_type === 'pano' && rotate && !camera.rotate;
    draft.set({
      template_id: id,
      template: chosen,
      ...(turned && { 'config.camera': { ...camera, rotate, rotate_left_button } }),
    });
    if (turned) showNotification('Rotation is turned on in the tab Camera, as in the template.');
  };
  return (
    <EntrySelect
      label="Template"
      description="The shell of the space: a grid, a 3D model or a 360° photo. Without one, it is an empty grid."
      placeholder="No template"
      find={(search) => findTemplates(session, search)}
      chosen={template ? { id: template.id, name: template.name } : null}
      value={template ? String(template.id) : null}
      error={draft.errors.template_id}
      onChange={(value) => void choose(value)}
    />
  );
});

const FogFields = observer(() => {
  const draft = useDraft();
  const fog = draft.get('config.fog') as RoomConfig['fog'];
  const set = (changes: Partial<typeof fog>) => draft.set({ 'config.fog': { ...fog, ...changes } });
  return (
    <Fieldset legend="Fog">
      <Stack gap="sm">
        <Switch
          label="Fog"
          description="Distance fades to a color."
          checked={fog.enabled}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
        {fog.enabled && (
          <>
            <ColorInput
              fixOnBlur={false}
              label="Color"
              format="hex"
              value={fog.color}
              error={draft.errors['config.fog.color']}
              onChange={(color) => set({ color })}
            />
            <NumericPanel
              label="Fog"
              fields={[
                { path: 'config.fog.near', label: 'Near (units)', step: 10 },
                { path: 'config.fog.far', label: 'Far (units)', step: 10 },
              ]}
            />
          </>
        )}
      </Stack>
    </Fieldset>
  );
});

/** Comforts of visitors who look around. */
function TourFields() {
  return (
    <Fieldset legend="Tour">
      <Stack gap="sm">
        <Field path="config.compass" />
        <Field path="config.autorotate_speed" />
        <Field path="config.nadir_blur" step={5} />
      </Stack>
    </Fieldset>
  );
}

/** Title, template, dimensions and light of the room. */
function GeneralTab() {
  return (
    <>
      <Fields paths={['title', 'name']} />
      <TemplateField />
      <SimpleGrid cols={3}>
        <Fields paths={['width', 'height', 'depth']} />
      </SimpleGrid>
      <NumericPanel label="Light" fields={[{ path: 'config.ambient_light', step: 0.1 }]} />
      <Field path="config.pixelratio" step={0.01} />
      <Field path="config.animate" />
      <TourFields />
      <FogFields />
    </>
  );
}

/** A link in the room's settings. */
export const RoomLink = observer(({ name, label }: { name: string; label: string }) => {
  const draft = useDraft();
  const path = `config.${name}`;
  return (
    <Paper withBorder p="sm">
      <LinkFields
        label={label}
        value={draft.get(path) as Link | null}
        errorOf={(inner) => draft.errors[`${path}.${inner}`]}
        onChange={(link) => draft.set({ [path]: link })}
      />
    </Paper>
  );
});

/** The pop-up shown to visitors when they enter. */
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
  {
    id: 'general',
    label: 'General',
    Part: GeneralTab,
    owns: (path) => !Object.values(PATHS).some((paths) => paths.test(path)),
  },
  { id: 'camera', label: 'Camera', Part: CameraTab, owns: ownedBy('Camera') },
  { id: 'user-interface', label: 'User interface', Part: UserInterfaceTab, owns: ownedBy('User interface') },
  { id: 'start-popup', label: 'Start popup', Part: StartPopupTab, owns: ownedBy('Start popup') },
  { id: 'timed', label: 'Timed', Part: TimedTab, owns: ownedBy('Timed') },
  { id: 'realtime', label: 'Realtime', Part: RealtimeTab, owns: ownedBy('Realtime') },
];

/** Settings of the whole room. */
export function RoomSettings({ draft }: { draft: DraftStore }) {
  return <DraftWindow label="Room settings" title="Room settings" draft={draft} tabs={TABS} />;
}
