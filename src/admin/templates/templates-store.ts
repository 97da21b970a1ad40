import { type Template, templateSchema } from '../../../engine/document/template.ts';
import { TEMPLATE_ORDERS } from '../../contract/calls/templates.ts';
import { calls } from '../../contract/calls.ts';
import type { Client } from '../../contract/client.ts';
import type { AdminTemplate } from '../../contract/entities.ts';
import type { Messages } from '../../contract/errors.ts';
import { templateFileProblem } from '../../contract/template-file.ts';
import { AreaStore } from '../stores/area-store.ts';
import { chosenOrder } from '../stores/list-store.ts';

/** Editable fields of a template, with file details for display. */
export type TemplateDraft = Omit<Template, 'id'>;

const FILES = ['file', 'background_file', 'hdr_file', 'font_file', 'logo_file'] as const;
export type TemplateFile = (typeof FILES)[number];

/** Fields as sent to the API, with file ids. */
function templateBodyOf(draft: TemplateDraft) {
  const { file, background_file, hdr_file, font_file, logo_file, ...body } = draft;
  return body;
}

function templateDraftOf(template: AdminTemplate | null): TemplateDraft {
  const { id, ...draft } = templateSchema.parse(template ?? { id: 1, name: 'New' });
  return template ? draft : { ...draft, name: '' };
}

/** The templates. */
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
    bulk: { client, action: 'templates.remove', things: 'templates' },
    draftOf: templateDraftOf,
    check: (draft, entry): Messages => {
      const problem = templateFileProblem(draft, draft.file, entry);
      return problem ? { file_id: [problem] } : {};
    },
    schema: calls.templates.create.body.loose(),
  });
