import { readPreviewPath } from '../../contract/editor-path.ts';
import { ignoreComposition } from '../../ui/ignore-composition.ts';
import { EDITOR_SCHEME, mountPage } from '../../ui/mount-page.tsx';

ignoreComposition();

const { pathname, search } = location;
const { roomId = 0, isFramed = false } = readPreviewPath(pathname) ?? {};
/** The form that shows this page as a preview of its structure; undefined elsewhere. */
const form = isFramed && parent !== window ? parent.enfiladeStructure : undefined;

// A structure's preview draws no room, so it loads nothing that does.
const Shown = form
  ? await import('./StructureDoor.tsx').then(({ StructureDoor }) => () => <StructureDoor source={form} />)
  : await import('./PreviewScreen.tsx').then(
      ({ FramedPreview, PreviewScreen }) =>
        () =>
          isFramed ? <FramedPreview id={roomId} /> : <PreviewScreen id={roomId} />,
    );

await mountPage({
  root: 'preview',
  ...EDITOR_SCHEME,
  render: (session) => {
    if (!session.hasToken) location.replace(`/admin/login?redirect=${encodeURIComponent(pathname + search)}`);
    else return <Shown />;
  },
});
