import {
  Alert,
  Button,
  ColorInput,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { MediaType } from '../../contract/entities.ts';
import { panoramaWarnings, templateFileProblem } from '../../contract/template-file.ts';
import { CameraFields } from '../../ui/camera/CameraFields.tsx';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { number, words } from '../frame/fields.ts';
import { PosterField } from '../frame/PosterField.tsx';
import { useIdParam } from '../frame/use-id-param.ts';
import { HOTSPOT_STYLES, MODEL_TYPES, photoOf } from './model-types.ts';
import { canLookAround, chooseKind, type Turning, withTurning } from './template-kind.ts';
import { createTemplatesStore, type TemplateDraft, type TemplateFile } from './templates-store.ts';

/** Says whether visitors can look around a 360° photo, and changes that where they cannot. */
const LookAround = observer(({ draft, onTurnOn }: { draft: TemplateDraft; onTurnOn(): void }) => {
  if (canLookAround(draft))
    return (
      <Text size="sm" c="dimmed">
        Visitors look around by dragging. The camera settings turn that off.
      </Text>
    );
  return (
    <Alert color="brass" title="Visitors can't look around by dragging">
      <Button size="xs" variant="default" onClick={onTurnOn}>
        Turn on rotation
      </Button>
    </Alert>
  );
});

/** Adding or changing a template. */
export const TemplateScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => createTemplatesStore(session.client));
  const { draft, errors } = store;
  const { camera } = draft.config;
  /** How the camera turned before a 360° photo changed it, and whether a person has chosen how it turns. */
  const [turning, setTurning] = useState<{ before: Turning | null; isOwn: boolean }>({ before: null, isOwn: false });
  const turn = (kind: TemplateDraft['model_type']) => {
    const { changes, before } = chooseKind(draft, kind, turning);
    setTurning({ ...turning, before });
    store.set(changes);
  };
  const turnOn = () => {
    setTurning({ before: null, isOwn: true });
    store.set(withTurning(draft));
  };
  const setCamera = (changes: Partial<typeof camera>) => {
    if ('rotate' in changes || 'rotate_left_button' in changes || 'zoom' in changes)
      setTurning({ before: null, isOwn: true });
    store.set({ config: { ...draft.config, camera: { ...camera, ...changes } } });
  };
  // A picture that is no 360° photo is refused as soon as it is chosen; that one is missing, only when it is saved.
  const fileProblem = draft.file ? templateFileProblem(draft, draft.file, store.entry) : null;

  const file = (name: TemplateFile, label: string, accept: [MediaType], description?: string) => (
    <MediaField
      label={label}
      description={description}
      accept={accept}
      file={draft[name]}
      error={errors[`${name}_id`]?.[0] ?? (name === 'file' ? (fileProblem ?? undefined) : undefined)}
      onChange={(chosen) => store.set({ [name]: chosen, [`${name}_id`]: chosen?.id ?? null })}
    />
  );
  const cameraErrors = Object.fromEntries(
    Object.entries(errors)
      .filter(([name]) => name.startsWith('config.camera.'))
      .map(([name, texts]) => [name.slice('config.camera.'.length), texts]),
  );
  const isWrong = (names: readonly string[]) =>
    Object.keys(errors).some((name) => names.some((wanted) => name.startsWith(wanted)));
  const mark = (names: readonly string[]) => (isWrong(names) ? { c: 'red' } : {});

  return (
    <FormScreen
      title={id === null ? 'Add template' : store.entry?.name || 'Template'}
      store={store}
      id={id}
      list="/admin/spaces/templates"
      thing="template"
      allowed={session.may('templates', id === null ? 'create' : 'update')}
      // What has just been added stands first.
      after={() => (id === null ? '/admin/spaces/templates?sort=-edited' : '/admin/spaces/templates')}
    >
      <Tabs defaultValue="template" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab value="template" {...mark(['name', 'description', 'model_type', 'file_id', 'logo', 'font', 'hdr'])}>
            Template settings
          </Tabs.Tab>
          <Tabs.Tab value="space" {...mark(['width', 'height', 'depth', 'config.animate'])}>
            Space settings
          </Tabs.Tab>
          <Tabs.Tab value="camera" {...mark(['config.camera'])}>
            Camera settings
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="template">
          <Stack>
            <TextInput label="Name" withAsterisk maxLength={255} {...words(store, 'name')} />
            <Textarea label="Description" autosize minRows={2} maxLength={10_000} {...words(store, 'description')} />
            <Select
              label="Kind"
              allowDeselect={false}
              data={Object.entries(MODEL_TYPES).map(([value, label]) => ({ value, label }))}
              value={draft.model_type}
              error={errors.model_type?.[0]}
              onChange={(kind) => kind && turn(kind as TemplateDraft['model_type'])}
            />
            {draft.model_type === 'pano' && <LookAround draft={draft} onTurnOn={turnOn} />}
            {draft.model_type === 'model' && file('file', 'Model', ['object'], 'GLTF, GLB, or a zip with one GLTF.')}
            {draft.model_type === 'pano' &&
              file('file', '360° photo', ['image'], 'An equirectangular image, twice as wide as high.')}
            {draft.model_type === 'pano' &&
              panoramaWarnings(draft.file ?? {}).map((warning) => (
                <Text key={warning} size="sm" role="status">
                  {warning}
                </Text>
              ))}
            {file(
              'background_file',
              'Background',
              ['image'],
              'An image behind the room: it shows where nothing else is.',
            )}
            {file('hdr_file', 'Environment', ['hdr'], 'An HDR image that lights the space.')}
            {file('logo_file', 'Logo', ['image'], 'Shown over the room; leads to the front page.')}
            {file(
              'font_file',
              'Font',
              ['font'],
              'For 3D texts: TTF, OTF, WOFF or typeface JSON. Without one, the organization’s.',
            )}
            <Select
              label="What can be pressed"
              description="How it shows in rooms; with a mark it is also named where the pointer is."
              allowDeselect={false}
              data={Object.entries(HOTSPOT_STYLES).map(([value, label]) => ({ value, label }))}
              value={draft.hotspot_style}
              error={errors.hotspot_style?.[0]}
              onChange={(style) => style && store.set({ hotspot_style: style as TemplateDraft['hotspot_style'] })}
            />
            <ColorInput
              fixOnBlur={false}
              label="Font color"
              description="Of texts drawn over the room, HEX such as #FF0000."
              placeholder="The organization’s"
              format="hex"
              eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
              value={draft.font_color ?? ''}
              error={errors.font_color?.[0]}
              onChange={(color) => store.set({ font_color: color || null })}
            />
            {id !== null && <PosterField of="templates" id={id} usual={store.entry && photoOf(store.entry, 240)} />}
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="space">
          <Stack>
            <SimpleGrid cols={{ base: 1, xs: 3 }}>
              <NumberInput label="Width (units)" step={100} {...number(store, 'width')} />
              <NumberInput label="Height (units)" step={100} {...number(store, 'height')} />
              <NumberInput label="Depth (units)" step={100} {...number(store, 'depth')} />
            </SimpleGrid>
            <Switch
              label="Play the model's animations"
              checked={draft.config.animate}
              onChange={(event) => store.set({ config: { ...draft.config, animate: event.currentTarget.checked } })}
            />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="camera">
          <CameraFields camera={camera} errors={cameraErrors} onChange={setCamera} />
        </Tabs.Panel>
      </Tabs>
    </FormScreen>
  );
});
