const EDITOR = /^\/admin\/editor\/\d{1,15}$/;
const PREVIEW = /^\/admin\/editor\/preview\/(\d{1,15})(\/frame)?$/;

/** Whether a path is exactly an editor's page. Shared by the server and the back-office, which redirect to each other. */
export const isEditorPath = (path: string): boolean => EDITOR.test(path);

/**
 * Parses the path of a preview.
 * @returns the room, and whether the page is the frame inside a preview; null for any other path
 */
export function readPreviewPath(path: string): { roomId: number; isFramed: boolean } | null {
  const found = PREVIEW.exec(path);
  return found && { roomId: Number(found[1]), isFramed: found[2] !== undefined };
}

export const previewPath = (roomId: number): string => `/admin/editor/preview/${roomId}`;

/** Path of the phone-size frame inside a preview. */
export const previewFramePath = (roomId: number): string => `${previewPath(roomId)}/frame`;

/**
 * Path of a space's editor or preview.
 * @param id as in a URL
 * @returns null if the id is invalid
 */
export function editorPath(id: string | undefined, isPreview: boolean): string | null {
  const path = `/admin/editor/${isPreview ? 'preview/' : ''}${id}`;
  return (isPreview ? readPreviewPath(path) : isEditorPath(path)) ? path : null;
}
