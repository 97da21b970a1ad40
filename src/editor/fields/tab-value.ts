/** What a tab goes by in the page, where names can't have spaces. */
export const tabValue = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
