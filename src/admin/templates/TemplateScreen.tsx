import { ColorInput, NumberInput, Select, SimpleGrid, Stack, Switch, Tabs, Textarea, TextInput } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import type { MediaType } from '../../contract/entities.ts';
import { CameraFields } from '../../ui/camera/CameraFields.tsx';
import { MediaField } from '../../ui/media/MediaField.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { FormScreen } from '../frame/FormScreen.tsx';
import { number, option, words } from '../frame/fields.ts';
import { useIdParam } from '../frame/use-id-param.ts';
import { MODEL_TYPES } from './model-types.ts';
import { createTemplatesStore, type TemplateFile } from './templates-store.ts';

/** Adding or changing a template. */
export const TemplateScreen = observer(() => {
  const session = useSession();
  const id = useIdParam();
  const [store] = useState(() => createTemplatesStore(session.client));
  const { draft, errors } = store;
  const { camera } = draft.config;

  const file = (name: TemplateFile, label: string, accept: [MediaType], description?: string) => (
    <MediaField
      label={label}
      description={description}
      accept={accept}
      file={draft[name]}
      error={errors[`${name}_id`]?.[0]}
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
      after={() => '/admin/spaces/templates'}
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
              {...option(store, 'model_type')}
            />
            {draft.model_type === 'model' && file('file', 'Model', ['object'], 'GLTF, GLB, or a zip with one GLTF.')}
            {draft.model_type === 'pano' &&
              file('file', '360° photo', ['image'], 'An equirectangular picture, 2 to 1.')}
            {file('background_file', 'Background', ['image'], 'A picture behind the room.')}
            {file('hdr_file', 'Environment', ['hdr'], 'An HDR picture that lights the room.')}
            {file('logo_file', 'Logo', ['image'], 'Shown over the room; leads to the front page.')}
            {file('font_file', 'Font', ['font'], 'For 3D texts: TTF, OTF, WOFF or typeface JSON.')}
            <ColorInput
              fixOnBlur={false}
              label="Font colour"
              description="Of texts drawn over the room, HEX such as #FF0000."
              format="hex"
              eyeDropperButtonProps={{ 'aria-label': 'Pick a colour from the screen' }}
              value={draft.font_color}
              error={errors.font_color?.[0]}
              onChange={(font_color) => store.set({ font_color })}
            />
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
          <CameraFields
            camera={camera}
            errors={cameraErrors}
            onChange={(changes) => store.set({ config: { ...draft.config, camera: { ...camera, ...changes } } })}
          />
        </Tabs.Panel>
      </Tabs>
    </FormScreen>
  );
});
