/** How many there are: "1 space", "2 spaces", "1 entry". @param things what they are called, of many */
export const countText = (count: number, things: string): string =>
  `${count} ${count === 1 ? things.replace(/ies$/, 'y').replace(/s$/, '') : things}`;
