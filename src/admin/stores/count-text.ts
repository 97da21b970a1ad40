/** Count with noun: "1 space", "2 spaces", "1 entry". @param things plural noun @param isMore whether to append "+" */
export const countText = (count: number, things: string, isMore = false): string =>
  `${isMore ? `${count.toLocaleString('en')}+` : count} ${count === 1 && !isMore ? things.replace(/ies$/, 'y').replace(/s$/, '') : things}`;
