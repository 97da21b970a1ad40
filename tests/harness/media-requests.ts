import { randomUUID } from 'node:crypto';
import { simplestImage } from '../../fixtures/make/iiif-manifests.ts';
import type { Calls } from '../../src/contract/calls.ts';
import { formOf, type Sent } from './api-app.ts';

/** Files of one organization. */
export interface MediaFixture {
  media: number;
  /** An earlier version of it. */
  mediaVersion: number;
  /** An empty folder for files. */
  mediaFolder: number;
}

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);
/** An image to upload. */
export const picture = () => ({ field: 'file', name: 'pixel.png', content: new Blob([PIXEL]) });

/** Another image to upload. */
export const otherPicture = () => ({
  field: 'file',
  name: 'other.png',
  content: new Blob([
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAD0lEQVQImWOQr6qQr6oAAAbMAiPORS3NAAAAAElFTkSuQmCC',
      'base64',
    ),
  ]),
});

type Request = Sent & { params?: Record<string, unknown>; query?: string };
type Name =
  | { [A in 'media' | 'mediaFolders']: `${A}.${keyof Calls[A] & string}` }['media' | 'mediaFolders']
  | 'iiif.read'
  | 'iiif.store';

/** A work whose image can't be downloaded; the response says so. */
const unreachable = {
  ...{ key: 'https://example.com/canvas', kind: 'image', url: 'http://127.0.0.1:9/', service: null, size: null },
  ...{ title: 'Hall', description: '', credit: '', rights: '', translations: {} },
};

/** A request to each call of the media library that succeeds with the required right. */
export const mediaRequests: Record<Name, (fixture: MediaFixture) => Request> = {
  'iiif.read': () => ({ body: { manifest: JSON.stringify(simplestImage('https://example.com')) } }),
  'iiif.store': () => ({ body: { works: [unreachable] } }),
  'media.list': () => ({}),
  'media.images': () => ({}),
  'media.files': () => ({}),
  'media.objects': () => ({}),
  'media.read': ({ media }) => ({ params: { id: media } }),
  'media.content': ({ media }) => ({ params: { id: media } }),
  'media.original': ({ media }) => ({ params: { id: media } }),
  'media.upload': () => ({ form: formOf({ accept: 'image' }, picture()) }),
  'media.drawTurntable': ({ media }) => ({ params: { id: media }, form: formOf({}, picture()) }),
  'media.readWorks': () => ({
    form: formOf({}, { field: 'file', name: 'works.csv', content: new Blob(['Image\na']) }),
  }),
  'media.keywords': () => ({}),
  'media.uses': ({ media }) => ({ params: { id: media } }),
  'media.replace': ({ media }) => ({ params: { id: media }, form: formOf({}, picture()) }),
  'media.versions': ({ media }) => ({ params: { id: media } }),
  'media.restore': ({ media, mediaVersion }) => ({ params: { id: media }, body: { version_id: mediaVersion } }),
  'media.updateMany': ({ media, mediaFolder }) => ({
    body: { files: [{ id: media, folder_id: mediaFolder, alt: `Changed ${randomUUID()}` }] },
  }),
  'media.merge': ({ media }) => ({ params: { id: media }, body: { ids: [media] } }),
  'media.archive': ({ media }) => ({ query: `ids=${media}` }),
  'mediaFolders.list': () => ({}),
  'mediaFolders.create': () => ({ body: { name: `New ${randomUUID()}` } }),
  'mediaFolders.update': ({ mediaFolder }) => ({
    params: { id: mediaFolder },
    body: { name: `Changed ${randomUUID()}` },
  }),
  'mediaFolders.remove': ({ mediaFolder }) => ({ params: { id: mediaFolder } }),
  'media.translate': ({ media }) => ({
    params: { id: media },
    body: { language: 'nl', texts: { title: `Anders ${randomUUID()}` } },
  }),
  'media.update': ({ media }) => ({ params: { id: media }, body: { title: `Changed ${randomUUID()}` } }),
  'media.optimize': ({ media }) => ({ body: { ids: [media] } }),
  'media.optimizing': () => ({}),
  'media.remove': ({ media }) => ({ params: { id: media } }),
};
