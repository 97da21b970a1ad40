/** Window event that starts renaming the selected element. */
export const RENAME_EVENT = 'enfilade:rename';

/** Window event that starts a search in the tree. */
export const SEARCH_EVENT = 'enfilade:search';
