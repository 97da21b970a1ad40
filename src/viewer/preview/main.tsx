import { readPreviewPath } from '../../contract/editor-path.ts';
import { ignoreComposition } from '../../ui/ignore-composition.ts';
import { EDITOR_SCHEME, mountPage } from '../../ui/mount-page.tsx';
import { FramedPreview, PreviewScreen } from './PreviewScreen.tsx';

ignoreComposition();

const { pathname, search } = location;
const { roomId = 0, isFramed = false } = readPreviewPath(pathname) ?? {};

await mountPage({
  root: 'preview',
  ...EDITOR_SCHEME,
  render: (session) => {
    if (!session.hasToken) location.replace(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
    else return isFramed ? <FramedPreview id={roomId} /> : <PreviewScreen id={roomId} />;
  },
});
