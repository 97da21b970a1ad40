/** Colors of editors: told apart on dark and light, and with most color blindness (after Okabe and Ito, darkened for white letters). */
const COLORS = ['#0b6fae', '#b35c00', '#0d7a5f', '#a84a86', '#5b5bd6', '#8a6d00', '#a33030', '#3d6b35'];

export const colorOf = (number: number): string => COLORS[number % COLORS.length]!;
