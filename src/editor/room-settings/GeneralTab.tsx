import { ColorInput, Fieldset, SimpleGrid, Stack, Switch } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import type { Room } from '../../../engine/document/room.ts';
import type { RoomConfig } from '../../../engine/document/room-config.ts';
import { EntrySelect } from '../../ui/EntrySelect.tsx';
import { findTemplates } from '../../ui/find-templates.ts';
import { showNotification } from '../../ui/notifications.ts';
import { useSession } from '../../ui/session/session-context.ts';
import { useDraft } from '../fields/contexts.ts';
import { Field, Fields } from '../fields/Field.tsx';
import { NumericPanel } from '../numeric-panel/NumericPanel.tsx';
import { useEditor } from '../session/editor-context.ts';

/** The shell of the room. Its looks come with it, so that the room shows them at once. */
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
    // Without turning, a 360° photo would be a picture of what lies ahead.
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

/** Title, template, measures and light of the room. */
export function GeneralTab() {
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
      <FogFields />
    </>
  );
}
