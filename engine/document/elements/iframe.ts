import { alternativeFields, elementOf, fileUrl } from '../element-base.ts';
import { CHOOSE_FILE, type ElementDescriptor } from '../element-type.ts';
import { href } from '../fields.ts';

/** A web page in the room, from a URL or an uploaded zip. */
export const iframeElement = elementOf('iframe', {
  src: href.default('').describe('URL of the page; empty if a file is used.'),
  file_url: fileUrl,
  ...alternativeFields,
});

export const iframeDescriptor: ElementDescriptor = {
  label: 'Iframe',
  description: 'A web page, from a URL or a ZIP file.',
  traits: { hit: 'page', load: 'panel', press: 'own', sources: ['file_url', 'file', 'src'], reads: 'page' },
  files: ['site'],
  madeOf: 'site',
  dropped: { flat: true, width: 640, height: 400 },
  source: { settings: ['src', 'file_url'], advice: CHOOSE_FILE },
};
