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
import type { ToneMapping, Transition } from '../../../engine/document/constants.ts';
import type { MediaType } from '../../contract/entities.ts';
import { panoramaWarnings, templateFileProblem } from '../../contract/template-file.ts';
import { CameraFields } from '../../ui/camera/CameraFields.tsx';
import { sayMessage } from '../../ui/language/say-message.ts';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { AccentField } from '../frame/AccentField.tsx';
import { FormScreen, useIdParam } from '../frame/FormScreen.tsx';
import { number, words } from '../frame/fields.ts';
import { PosterField } from '../frame/PosterField.tsx';
import { Quiet } from '../frame/text.tsx';
import { TRANSITION_OPTIONS } from '../frame/transition-names.ts';
import { FramingFields } from './FramingFields.tsx';
import { PanoramaTexts } from './PanoramaTexts.tsx';
import { PanoramaVideo } from './PanoramaVideo.tsx';
import {
  createTemplatesStore,
  HOTSPOT_STYLES,
  MODEL_TYPES,
  photoOf,
  TEMPLATES,
  type TemplateDraft,
  type TemplateFile,
} from './TemplatesScreen.tsx';

/** Labels of tone mappings. */
const TONE_NAMES: Record<ToneMapping, string> = {
  neutral: 'Neutral: keeps hues',
  aces: 'ACES: filmic, more contrast',
  agx: 'AgX: filmic, soft',
  none: 'None: cuts off',
};

/** Fields of frames. */
const FRAMING_ERRORS = ['config.frame', 'config.mat', 'config.contact_shadow'];

/** Camera settings for looking around and zooming. */
type Turning = Pick<TemplateDraft['config']['camera'], 'rotate' | 'rotate_left_button' | 'zoom'>;

const ON: Turning = { rotate: true, rotate_left_button: true, zoom: true };

/** Whether dragging rotates the view. */
const canLookAround = ({ config }: TemplateDraft): boolean => config.camera.rotate && config.camera.rotate_left_button;

/** Template settings with another camera rotation. */
const withTurning = ({ config }: TemplateDraft, turning = ON): Pick<TemplateDraft, 'config'> => ({
  config: { ...config, camera: { ...config.camera, ...turning } },
});

/**
 * Changes that follow from choosing a kind. Choosing a 360° photo turns rotation on, choosing another kind reverts that,
 * and a manual choice is never changed.
 * @param before camera rotation before the 360° photo changed it, or null
 * @param isOwn whether the user chose the rotation manually
 */
function chooseKind(
  draft: TemplateDraft,
  model_type: TemplateDraft['model_type'],
  { before, isOwn }: { before: Turning | null; isOwn: boolean },
): { changes: Partial<TemplateDraft>; before: Turning | null } {
  const { rotate, rotate_left_button, zoom } = draft.config.camera;
  if (model_type === 'pano' && !isOwn && !canLookAround(draft))
    return { changes: { model_type, ...withTurning(draft) }, before: { rotate, rotate_left_button, zoom } };
  if (model_type !== 'pano' && before && !isOwn)
    return { changes: { model_type, ...withTurning(draft, before) }, before: null };
  return { changes: { model_type }, before };
}

/** Warns if visitors can't look around a 360° photo, and offers to fix it. */
const LookAround = observer(({ draft, onTurnOn }: { draft: TemplateDraft; onTurnOn(): void }) => {
  if (canLookAround(draft))
    return <Quiet>Visitors look around by dragging. You can turn this off under Camera settings.</Quiet>;
  return (
    <Alert color="brass" title="Visitors can't look around by dragging">
      <Button size="xs" variant="default" onClick={onTurnOn}>
        Turn on rotation
      </Button>
    </Alert>
  );
});

/** Adds or edits a template. */
export const TemplateScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => createTemplatesStore(session.client));
  const { draft, errors } = store;
  const { camera } = draft.config;
  /** Camera rotation before a 360° photo changed it, and whether the user chose it. */
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
  // Reject an image that isn't a 360° photo at once, but report a missing one only on save.
  const fileProblem = draft.file ? templateFileProblem(draft, draft.file, store.entry) : null;

  const file = (
    name: Exclude<TemplateFile, 'video_file'>,
    label: string,
    accept: [MediaType],
    description?: string,
  ) => (
    <MediaField
      label={label}
      description={description}
      accept={accept}
      file={draft[name]}
      error={errors[`${name}_id`]?.[0] ?? (name === 'file' ? sayMessage(fileProblem ?? '') || undefined : undefined)}
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
      of={TEMPLATES}
      name={store.entry?.name}
      store={store}
      id={id}
      // Show the new template first.
      after={() => (id === null ? `${TEMPLATES.path}?sort=-edited` : TEMPLATES.path)}
    >
      <Tabs defaultValue="template" keepMounted={false}>
        <Tabs.List mb="lg">
          <Tabs.Tab
            value="template"
            {...mark([
              'name',
              'description',
              'model_type',
              'file_id',
              'video_file_id',
              'config.video',
              'logo',
              'font',
              'accent_color',
              'hdr',
              'config.transition',
              'config.tone_mapping',
            ])}
          >
            Template settings
          </Tabs.Tab>
          <Tabs.Tab value="space" {...mark(['width', 'height', 'depth', 'config.animate', ...FRAMING_ERRORS])}>
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
            {draft.model_type === 'model' &&
              file('file', 'Model', ['object'], 'GLTF, GLB, a zip with one GLTF, or splats as PLY, SPZ or SOG.')}
            {draft.model_type === 'pano' &&
              file('file', '360° photo', ['image'], 'An equirectangular image, twice as wide as high.')}
            {draft.model_type === 'pano' &&
              panoramaWarnings(draft.file ?? {}).map((warning) => (
                <Text key={warning} size="sm" role="status">
                  {sayMessage(warning)}
                </Text>
              ))}
            {draft.model_type === 'pano' && <PanoramaTexts store={store} />}
            {draft.model_type === 'pano' && <PanoramaVideo store={store} />}
            {file('background_file', 'Background', ['image'], 'An image behind everything in the room.')}
            {file('hdr_file', 'Environment', ['hdr'], 'An HDR image that lights the space.')}
            {file('logo_file', 'Logo', ['image'], 'Shown over the room. Links to the front page.')}
            {file(
              'font_file',
              'Font',
              ['font'],
              'For 3D text: TTF, OTF, WOFF or typeface JSON. Leave empty for the organization’s font.',
            )}
            <Select
              label="Hotspots"
              description="How interactive elements are marked. With a marker, the name shows on hover."
              allowDeselect={false}
              data={Object.entries(HOTSPOT_STYLES).map(([value, label]) => ({ value, label }))}
              value={draft.hotspot_style}
              error={errors.hotspot_style?.[0]}
              onChange={(style) => style && store.set({ hotspot_style: style as TemplateDraft['hotspot_style'] })}
            />
            <Select
              label="Transition"
              description="How one place of a tour changes to the next."
              allowDeselect={false}
              data={TRANSITION_OPTIONS}
              value={draft.config.transition}
              error={errors['config.transition']?.[0]}
              onChange={(transition) =>
                transition && store.set({ config: { ...draft.config, transition: transition as Transition } })
              }
            />
            <Select
              label="Tone mapping"
              description="How lit surfaces brighter than white look. Images that ignore light keep their own colors."
              allowDeselect={false}
              data={Object.entries(TONE_NAMES).map(([value, label]) => ({ value, label }))}
              value={draft.config.tone_mapping}
              error={errors['config.tone_mapping']?.[0]}
              onChange={(tone) => tone && store.set({ config: { ...draft.config, tone_mapping: tone as ToneMapping } })}
            />
            <ColorInput
              fixOnBlur={false}
              label="Font color"
              description="For text over the room, HEX such as #FF0000."
              placeholder="The organization’s"
              format="hex"
              eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
              value={draft.font_color ?? ''}
              error={errors.font_color?.[0]}
              onChange={(color) => store.set({ font_color: color || null })}
            />
            <AccentField store={store} />
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
            <FramingFields
              framing={draft.config}
              errors={errors}
              onChange={(changes) => store.set({ config: { ...draft.config, ...changes } })}
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
