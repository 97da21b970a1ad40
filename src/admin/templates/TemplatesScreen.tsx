import { Badge } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { type Template, templateSchema } from '../../../engine/document/template.ts';
import { TEMPLATE_ORDERS } from '../../contract/calls/templates.ts';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminTemplate } from '../../contract/entities.ts';
import type { Messages } from '../../contract/errors.ts';
import { templateFileProblem } from '../../contract/template-file.ts';
import { sayMessage } from '../../ui/language/say-message.ts';
import { thumbnailOf } from '../../ui/media/media-kinds.ts';
import { momentText } from '../../ui/moment-text.ts';
import { Poster } from '../../ui/Poster.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import { ListScreen } from '../frame/ListScreen.tsx';
import { type Resource, rowRights } from '../frame/resource.ts';
import { AreaStore } from '../stores/area-store.ts';
import { chosenOrder } from '../stores/list-store.ts';

/** Labels of template kinds. */
export const MODEL_TYPES: Record<Template['model_type'], string> = {
  grid: 'Grid',
  model: '3D model',
  pano: '360° photo',
};

/** Labels of hotspot styles. */
export const HOTSPOT_STYLES: Record<Template['hotspot_style'], string> = {
  dot: 'Dot',
  ring: 'Ring',
  off: 'None',
};

/** Placeholder image until a template is rendered: its 360° photo. @param width in pixels */
export const photoOf = (
  { model_type, file }: Pick<AdminTemplate, 'model_type' | 'file'>,
  width: number,
): string | null => (model_type === 'pano' && file ? thumbnailOf(file.url, width).src : null);

/** Editable fields of a template, with file details for display. */
export type TemplateDraft = Omit<Template, 'id'>;

const FILES = ['file', 'video_file', 'background_file', 'hdr_file', 'font_file', 'logo_file'] as const;
export type TemplateFile = (typeof FILES)[number];

/** Fields as sent to the API, with file ids. */
function templateBodyOf(draft: TemplateDraft) {
  const { file, video_file, background_file, hdr_file, font_file, logo_file, ...body } = draft;
  return body;
}

function templateDraftOf(template: AdminTemplate | null): TemplateDraft {
  const { id, ...draft } = templateSchema.parse(template ?? { id: 1, name: 'New' });
  return template ? draft : { ...draft, name: '' };
}

export const createTemplatesStore = (client: Client) =>
  new AreaStore<AdminTemplate, AdminTemplate, TemplateDraft>({
    list: ({ search, page, filters }) =>
      client.templates.list({ query: { search, page, sort: chosenOrder(TEMPLATE_ORDERS, filters) } }),
    read: (id) => client.templates.read({ params: { id } }),
    create: (draft) => client.templates.create({ body: templateBodyOf(draft) }),
    update: (id, draft, updated_at) =>
      client.templates.update({ params: { id }, body: { ...templateBodyOf(draft), updated_at } }),
    remove: (id) => client.templates.remove({ params: { id } }),
    bin: { client, entity: 'template' },
    bulk: { client, action: 'templates.remove', nouns: 'templates' },
    draftOf: templateDraftOf,
    check: (draft, entry): Messages => {
      const problem = templateFileProblem(draft, draft.file, entry);
      return problem ? { file_id: [sayMessage(problem)] } : {};
    },
    schema: calls.templates.create.body.loose(),
  });

const MAX_NAMED_SPACES = 3;

const namesOf = (names: readonly string[]): string => {
  const more = names.length - MAX_NAMED_SPACES;
  return `${names.slice(0, MAX_NAMED_SPACES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** Why a template can't be removed, and what to do. */
function inUse(names: readonly string[]): string {
  return `This template is in use by ${namesOf(names)}. Give ${names.length === 1 ? 'that space' : 'those spaces'} another template first.`;
}

export const TEMPLATES: Resource<AdminTemplate> = {
  title: 'Templates',
  noun: 'template',
  nouns: 'templates',
  area: 'templates',
  path: '/admin/spaces/templates',
  isViewed: true,
  empty: 'There are no templates yet. A template is the shell of spaces: a grid, a 3D model or a 360° photo.',
  nameOf: ({ name }) => name,
  may: rowRights,
  rename: ({ templates }, { id, updated_at }, name, stamp = updated_at) =>
    templates.update({ params: { id }, body: { name, updated_at: stamp } }),
  lead: (template) => <Poster url={template.poster_url ?? photoOf(template, 64)} width={64} />,
  columns: [
    {
      id: 'kind',
      label: 'Kind',
      cell: ({ model_type }) => (
        <Badge variant="light" color="gray">
          {MODEL_TYPES[model_type]}
        </Badge>
      ),
    },
    { id: 'used', label: 'Used in', cell: ({ used_in }) => namesOf(used_in.map(({ name }) => name)) },
    { id: 'edited', label: 'Edited', order: '-edited', cell: ({ updated_at }) => momentText(updated_at) },
    { id: 'editor', label: 'Edited by', cell: ({ edited_by }) => edited_by },
  ],
  removal: { refuse: ({ used_in }) => (used_in.length > 0 ? inUse(used_in.map(({ name }) => name)) : undefined) },
};

export const TemplatesScreen = observer(() => {
  const { client } = useSession();
  const [store] = useState(() => createTemplatesStore(client));
  return <ListScreen of={TEMPLATES} store={store} />;
});
