const EDITOR_PATH = /^\/admin\/editor\/(?:\d{1,15}|preview\/\d{1,15}(?:\/frame)?)$/;

/**
 * Whether a path is one of the editor's pages, to the letter: the server and the back-office have to agree on it,
 * for each sends on what belongs to the other.
 */
export const isEditorPath = (path: string): boolean => EDITOR_PATH.test(path);

/** Whether a path is the part of a preview that stands in a frame of the preview itself. */
export const isPreviewFramePath = (path: string): boolean => EDITOR_PATH.test(path) && path.endsWith('/frame');

/**
 * The path of a space's editor, or of its preview.
 * @param id as it stands in an address
 * @returns null where no space can have that id
 */
export function editorPath(id: string | undefined, isPreview: boolean): string | null {
  const path = `/admin/editor/${isPreview ? 'preview/' : ''}${id}`;
  return isEditorPath(path) ? path : null;
}

/** The path of what a preview shows in a frame as large as a phone. */
export const previewFramePath = (roomId: number): string => `/admin/editor/preview/${roomId}/frame`;
