import { Readable } from 'node:stream';
import type { z } from 'zod';
import { galleryModel } from '../../../../engine/document/arrangements/gallery-model.ts';
import type { calls } from '../../../contract/calls.ts';
import type { IiifImport } from '../../../contract/entities.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { SignedInContext } from '../../core/http/call-context.ts';
import { type Importing, note } from '../imports/importing.ts';
import { findMediaRows } from '../media/queries.ts';
import { storeFile, wholeUpload } from '../media/service.ts';
import { findTemplate } from '../templates/queries.ts';
import { createTemplateIn } from '../templates/service.ts';
import { makeRoom, refuseTaken } from '../tours/create.ts';
import { requireRight } from '../users/rights.ts';
import { type GalleryPlan, planWorks } from './gallery-document.ts';

type Body = z.output<typeof calls.iiif.hang.body>;

/** Stores the building as a model. @returns its media ID */
async function storeBuilding(context: SignedInContext, name: string, { gallery }: GalleryPlan): Promise<number> {
  const { organizationId, user } = context;
  const owner = { organizationId, userId: user.userId, name: `${name}.glb`, accept: 'object' } as const;
  const bytes = Buffer.from(galleryModel(gallery.boxes));
  return (await storeFile(context, owner, wholeUpload(Readable.from([bytes])))).id;
}

/** Adds a template of the building's size. @returns its ID */
async function addTemplate(
  importing: Importing,
  {
    name,
    building,
    width,
    height,
    depth,
  }: { name: string; building: number | null } & Record<'width' | 'height' | 'depth', number>,
): Promise<number> {
  const shell = building === null ? {} : { model_type: 'model' as const, file_id: building };
  const fields = { name, ...shell, width, height, depth };
  const id = await createTemplateIn(importing.db, importing.context, fields, { mayBeEmpty: true });
  note(importing, { index: null, kind: 'templates', key: name }, 'create', { id });
  return id;
}

/**
 * Creates a gallery with works from the media library; a dry run only checks it.
 * @throws ApiError invalid with the fields, forbidden or quota
 */
export async function hangWorks(context: SignedInContext, body: Body): Promise<IiifImport> {
  const { dry_run, ...from } = body;
  const { name, files, language, languages, endpoint } = from;
  if (body.template_id === undefined)
    for (const area of ['templates', 'media'] as const) requireRight(context, area, 'create');
  if (endpoint) requireRight(context, 'endpoints', 'create');
  const { db, organizationId } = context;
  await refuseTaken(db, organizationId, body);
  if (dry_run && files.length === 0) return { job: null, room_id: null, endpoint_id: null, hung: 0, remarks: [] };
  const found = await findMediaRows(db, organizationId, files);
  const rows = files.map((id) => found.get(id));
  const isUsable = rows.every((row) => row !== undefined && ['image', 'video', 'audio'].includes(row.type));
  if (files.length === 0 || !isUsable)
    throw new ApiError('invalid', { files: ['Choose images, videos or audio of the media library.'] });
  const plan = planWorks(rows.map((row) => row!));
  if (body.template_id !== undefined && !(await findTemplate(db, organizationId, body.template_id)))
    throw new ApiError('invalid', { template_id: ['Template not found. Choose another one.'] });
  const building = dry_run || body.template_id !== undefined ? null : await storeBuilding(context, name, plan);
  const made = await makeRoom(context, body, {
    from,
    documentOf: async (importing) => {
      const templateId = body.template_id ?? (await addTemplate(importing, { name, building, ...plan.gallery }));
      return plan.document({ name, templateId, language, languages });
    },
  });
  const remarks = plan.left.map((title) => `“${title}” fits on no wall; left out.`);
  return { ...made, hung: plan.hung, remarks };
}
