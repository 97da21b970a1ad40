import { observer } from 'mobx-react-lite';
import { useDraft } from '../fields/contexts.ts';
import { Field } from '../fields/Field.tsx';
import { RichTextField } from '../rich-text/RichTextField.tsx';
import { RoomLink } from './RoomLink.tsx';

/** The room's sequence, its countdown, and the pop-up in it. */
export const TimedTab = observer(() => {
  const draft = useDraft();
  return (
    <>
      <Field path="config.duration" />
      <Field path="config.show_timed_timer" />
      <Field path="config.show_timed_popup" />
      {draft.get('config.show_timed_popup') === true && (
        <>
          <Field path="config.timed_popup_offset" />
          <RichTextField
            label="Pop-up text"
            error={draft.errors['config.timed_popup_text']}
            html={draft.get('config.timed_popup_text') as string}
            onChange={(text) => draft.set({ 'config.timed_popup_text': text })}
          />
          <RoomLink name="timed_popup_action_left" label="Left action" />
          <RoomLink name="timed_popup_action_center" label="Middle action" />
          <RoomLink name="timed_popup_action_right" label="Right action" />
          <Field path="config.timed_popup_action_required" />
        </>
      )}
    </>
  );
});
