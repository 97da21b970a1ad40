/** Window event that starts renaming the selected element. */
export const RENAME_EVENT = 'enfilade:rename';

/** Window event that asks for the name of a block to save the selection as. */
export const SAVE_BLOCK_EVENT = 'enfilade:save-block';

/** Window event that starts a search in the tree. */
export const SEARCH_EVENT = 'enfilade:search';
