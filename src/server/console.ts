/** What the server says to the person who started it. Everything else goes to the log. */
export const say = (text: string): void => console.log(text);

/** Says why the server stops. */
export const complain = (text: string): void => console.error(text);
