/** Folder in which the library puts the tiles of a picture, and the file of the whole picture beside it. */
export const CUT = 'picture_files/0';
export const WHOLE = 'whole.jpeg';
