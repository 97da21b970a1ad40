/** What a tab goes by in the page, where names cannot have spaces. */
export const tabValue = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
