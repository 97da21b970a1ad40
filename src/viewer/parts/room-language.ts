/** Language of the room's texts as BCP 47 tag, for `lang`; empty if it is unknown. */
let language = '';

export const roomLanguage = (): string => language;

export function nameRoomLanguage(tag: string): void {
  language = tag;
}
