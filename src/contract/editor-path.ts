const EDITOR_PATH = /^\/admin\/editor\/(?:preview\/)?\d{1,15}$/;

/**
 * Whether a path is one of the editor's two pages, to the letter: the server and the back-office have to agree on it,
 * for each sends on what belongs to the other.
 */
export const isEditorPath = (path: string): boolean => EDITOR_PATH.test(path);

/**
 * The path of a space's editor, or of its preview.
 * @param id as it stands in an address
 * @returns null where no space can have that id
 */
export function editorPath(id: string | undefined, isPreview: boolean): string | null {
  const path = `/admin/editor/${isPreview ? 'preview/' : ''}${id}`;
  return isEditorPath(path) ? path : null;
}
