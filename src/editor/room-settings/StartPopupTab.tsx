import { observer } from 'mobx-react-lite';
import { useDraft } from '../fields/draft-context.ts';
import { Field } from '../fields/Field.tsx';
import { RichTextField } from '../rich-text/RichTextField.tsx';

/** What visitors read when they enter. */
export const StartPopupTab = observer(() => {
  const draft = useDraft();
  return (
    <>
      <Field path="config.show_start_popup" />
      <RichTextField
        label="Content"
        description="Also the description for search engines."
        error={draft.errors.description}
        html={draft.get('description') as string}
        onChange={(description) => draft.set({ description })}
      />
    </>
  );
});
