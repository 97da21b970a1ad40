import { cameraPlace } from '../address/camera-place.ts';
import { publicPath } from '../address/page-place.ts';
import { poseLink } from '../address/pose-link.ts';
import { say } from '../texts/say-all.ts';
import type { VisitActions, VisitState } from '../visit/visit-store.ts';

/** Legacy copy through a selection, the only way in iframes without clipboard permission. */
function copySelected(text: string): boolean {
  const field = Object.assign(document.createElement('textarea'), { value: text, readOnly: true });
  const { activeElement } = document;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus();
  return isCopied;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies a link to this view, always of the room's own page, even from an embed. */
export async function copyView({ flags }: VisitState, actions: VisitActions): Promise<void> {
  const { stage } = actions;
  if (!stage) return;
  const page = publicPath() + (flags.isEmbed ? '' : location.search);
  const address = new URL(page + poseLink(cameraPlace(stage.pose)), location.origin).href;
  if (await copy(address)) {
    actions.tell(say('linkCopied'));
  } else if (flags.isEmbed) {
    actions.tell(address, true);
  } else {
    history.replaceState(history.state, '', address);
    actions.tell(say('linkNotCopied'));
  }
}
