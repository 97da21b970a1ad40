import { type Capabilities, elementOf, fileUrl } from '../element-base.ts';
import { href } from '../fields.ts';

/** Another page in the room, by address or from an uploaded zip. */
export const iframeElement = elementOf('iframe', {
  src: href.default('').describe('Address of the page; empty when a file is used.'),
  file_url: fileUrl,
});

export const iframeCapabilities: Capabilities = {
  label: 'Iframe',
  dom: true,
  media: false,
  navigation: false,
  container: false,
  files: ['site'],
};
