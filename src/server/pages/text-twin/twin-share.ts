import type { Navigation } from '../../../../engine/document/navigation.ts';
import { ROOM_LINKS } from '../../../../engine/document/remap.ts';
import { flatten } from '../../../../engine/document/tree.ts';
import { calls } from '../../../contract/calls.ts';
import type { PublicEndpoint, Settings } from '../../../contract/entities.ts';
import type { ApiError } from '../../../contract/errors.ts';
import { ALL_ERRORS } from '../../../contract/viewer-texts/all.ts';
import { fillText } from '../../../contract/viewer-texts/fill-text.ts';
import type { Language } from '../../../contract/viewer-texts/limits.ts';
import { escapeHtml } from '../../core/html/escape.ts';
import { SHARE_PARAMETER, shareUrl, textUrl } from './twin-links.ts';
import { textPage } from './twin-page.ts';
import { type TwinTexts, twinTexts } from './twin-texts.ts';

/** Maximum number of characters of a name, and of a message. */
const [MAX_NAME, MAX_MESSAGE] = [120, 2000];

/** Fields of the form; the feed is part of its URL, and browsers without scripts can't prove work. */
export const SHARE_FIELDS = calls.visit.share.body.omit({ feed_id: true, proof: true });

/** The feed whose form a text page is asked for; null for none. */
export function sharedFeedOf(query: URLSearchParams): number | null {
  const id = query.get(SHARE_PARAMETER) ?? '';
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : null;
}

type ShareLink = Extract<Navigation, { type: 'modal_share' }>['type_config'];

/** A room on a text page. */
type TwinRoom = NonNullable<PublicEndpoint['room']>;

/** The link of a room that shares to a feed; undefined if there is none. */
export function shareLinkOf(room: TwinRoom, feedId: number): ShareLink | undefined {
  const elements = flatten(room.elements) as { config: { navigation?: Navigation } }[];
  const navigations = [
    ...elements.map(({ config }) => config.navigation),
    ...ROOM_LINKS.map((name) => room.config[name]?.navigation),
  ];
  return navigations
    .flatMap((each) => (each?.type === 'modal_share' ? [each.type_config] : []))
    .find(({ feed_id }) => feed_id === feedId);
}

/** A message that wasn't sent. */
export interface UnsentShare {
  name: string;
  message: string;
  /** Why it wasn't sent. */
  problem: string;
}

/** Why a message wasn't sent, in the visitor's language. */
export function shareProblem(language: Language, texts: TwinTexts, error: ApiError, message: string): string {
  if (message.length > MAX_MESSAGE) return fillText(language, texts.longMessage, { count: MAX_MESSAGE });
  if (error.code === 'invalid' && 'message' in error.msg) return texts.nothingToShare;
  const known = ALL_ERRORS[language][error.code as keyof (typeof ALL_ERRORS)[Language]];
  const minutes = Math.ceil((error.wait ?? 60) / 60);
  return known ? fillText(language, known, { minutes }) : error.message;
}

/** Parts of the page of a form. */
interface SharePage {
  room: TwinRoom;
  link: ShareLink;
  feedId: number;
  /** Query of the page, as far as its links keep it. */
  query: string;
  /** Whether the message was received, and waits for approval. */
  received: 'shown' | 'waiting' | null;
  unsent: UnsentShare | null;
}

const formHtml = ({ feedId, query, unsent }: SharePage, texts: TwinTexts): string => {
  const problem = unsent ? `<p class="wrong" role="alert" id="problem">${escapeHtml(unsent.problem)}</p>` : '';
  const described = unsent ? ' aria-describedby="problem"' : '';
  return `${problem}<form method="post" enctype="multipart/form-data" action="${escapeHtml(shareUrl(feedId, query))}">
<label for="name">${escapeHtml(texts.shareName)}</label>
<input id="name" name="name" dir="auto" required maxlength="${MAX_NAME}" autocomplete="name" value="${escapeHtml(unsent?.name ?? '')}"${described}>
<label for="message">${escapeHtml(texts.shareMessage)}</label>
<textarea id="message" name="message" dir="auto" rows="6" maxlength="${MAX_MESSAGE}"${described}>
${escapeHtml(unsent?.message ?? '')}</textarea>
<label for="file">${escapeHtml(texts.sharePicture)}</label>
<input id="file" name="file" type="file" accept="image/*">
<button type="submit">${escapeHtml(texts.addNow)}</button></form>`;
};

/** The form to share to a feed as a text page without scripts, or the thanks after it. */
export function sharePage(language: Language, settings: Settings, page: SharePage): string {
  const { room, link, query, received } = page;
  const texts = twinTexts(language, settings.texts);
  const thanks = [link.success_message || texts.shareReceived, received === 'waiting' && texts.shareWaiting];
  const content = received
    ? `<p role="status">${escapeHtml(thanks.filter(Boolean).join(' '))}</p>`
    : formHtml(page, texts);
  const back = `<p><a href="${textUrl(query)}" dir="auto">${escapeHtml(room.title)}</a></p>`;
  return textPage(
    language,
    `${texts.share} – ${room.title} – ${settings.name}`,
    `<main><h1>${escapeHtml(texts.share)}</h1>\n${content}\n${back}</main>`,
  );
}
