/** What a visitor has written and not sent yet. */
export interface Draft {
  name: string;
  message: string;
  file: File | null;
}

const drafts = new Map<number, Draft>();

/** The draft for a feed, kept until it was sent: a dialog closes easily. */
export const messageDraftOf = (feedId: number): Draft => drafts.get(feedId) ?? { name: '', message: '', file: null };
export const keepDraft = (feedId: number, draft: Draft): void => void drafts.set(feedId, draft);
/** The visitor's name stays for the next message. */
export const forgetDraft = (feedId: number): void =>
  void drafts.set(feedId, { name: messageDraftOf(feedId).name, message: '', file: null });
