/** Sent to the window by what renames the selected element. */
export const RENAME_EVENT = 'enfilade:rename';

/** Sent to the window by what begins a search in the tree. */
export const SEARCH_EVENT = 'enfilade:search';
