const EDITOR = /^\/admin\/editor\/\d{1,15}$/;
const PREVIEW = /^\/admin\/editor\/preview\/(\d{1,15})(\/frame)?$/;

/** Whether a path is exactly an editor's page. Server and back-office share the rule, since each redirects to the other. */
export const isEditorPath = (path: string): boolean => EDITOR.test(path);

/**
 * Reads the path of a preview.
 * @returns the room, and whether the page is the frame inside a preview; null for any other path
 */
export function readPreviewPath(path: string): { roomId: number; isFramed: boolean } | null {
  const found = PREVIEW.exec(path);
  return found && { roomId: Number(found[1]), isFramed: found[2] !== undefined };
}

/** Path of a space's preview. */
export const previewPath = (roomId: number): string => `/admin/editor/preview/${roomId}`;

/** Path of the frame in which a preview shows a phone's screen. */
export const previewFramePath = (roomId: number): string => `${previewPath(roomId)}/frame`;

/**
 * Path of a space's editor or preview.
 * @param id as it appears in a URL
 * @returns null if no space can have the id
 */
export function editorPath(id: string | undefined, isPreview: boolean): string | null {
  const path = `/admin/editor/${isPreview ? 'preview/' : ''}${id}`;
  return (isPreview ? readPreviewPath(path) : isEditorPath(path)) ? path : null;
}
