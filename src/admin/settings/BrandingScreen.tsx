import { ColorInput, SimpleGrid, Stack } from '@mantine/core';
import { observer } from 'mobx-react-lite';
import { type CSSProperties, useEffect, useState } from 'react';
import { calls } from '../../contract/calls.ts';
import type { Organization } from '../../contract/entities.ts';
import { MediaField, type ShownFile } from '../../ui/media/MediaField.tsx';
import { Sign } from '../../ui/Sign.tsx';
import { useSession } from '../../ui/session/session-context.ts';
import classes from './branding.module.css';
import { createOrganizationStore, SettingsForm } from './SettingsForm.tsx';

const brandingDraftOf = (organization: Organization | null) => ({
  font_file_id: organization?.font_file_id ?? null,
  font_file: (organization?.font_file ?? null) as ShownFile | null,
  font_color: organization?.font_color ?? null,
  logo_file_id: organization?.logo_file_id ?? null,
  logo_file: (organization?.logo_file ?? null) as ShownFile | null,
  accent_color: organization?.accent_color ?? null,
});
type BrandingDraft = ReturnType<typeof brandingDraftOf>;

const schema = calls.organizations.update.body.pick({ font_color: true, accent_color: true }).loose();

/** Name under which the preview loads the font. */
const PREVIEW_FONT = 'Branding preview';

/** Loads a font file for the preview. Typeface JSON is for 3D text only. */
function usePreviewFont(file: ShownFile | null): boolean {
  const [loaded, setLoaded] = useState<string | null>(null);
  const url = file?.url ?? null;
  useEffect(() => {
    if (url === null) return;
    const font = new FontFace(PREVIEW_FONT, `url(${JSON.stringify(url)})`);
    font.load().then(
      () => {
        document.fonts.add(font);
        setLoaded(url);
      },
      () => undefined,
    );
    return () => void document.fonts.delete(font);
  }, [url]);
  return url !== null && loaded === url;
}

/** A visitor's entrance and a text over a room, as they look with the draft. */
function Preview({ draft, name }: { draft: BrandingDraft; name: string }) {
  const { accent_color, font_color, logo_file, font_file } = draft;
  const hasFont = usePreviewFont(font_file);
  const style = { '--chosen': accent_color ?? undefined, '--text': font_color ?? undefined } as CSSProperties;
  return (
    <section
      className={classes.preview}
      style={style}
      aria-label="Preview"
      data-accent={accent_color !== null || undefined}
    >
      <div className={classes.card}>
        {logo_file ? <img className={classes.logo} src={logo_file.url} alt="" /> : <Sign />}
        <p className={classes.name}>{name}</p>
        <p className={classes.title}>Summer exhibition</p>
        <span className={classes.button}>Enter</span>
      </div>
      <p className={classes.text} style={hasFont ? { fontFamily: `"${PREVIEW_FONT}"` } : undefined}>
        Text over a room
      </p>
    </section>
  );
}

/** Logo, colors and font of the organization's rooms, with a preview. Templates can override them. */
export const BrandingScreen = observer(() => {
  const session = useSession();
  const [store] = useState(() =>
    createOrganizationStore(session.client, {
      draftOf: brandingDraftOf,
      bodyOf: ({ font_file: _font, logo_file: _logo, ...body }) => body,
      schema,
      onSaved: (organization) => session.updateOrganization(organization),
    }),
  );
  const { draft, errors, entry } = store;
  return (
    <SettingsForm title="Branding" store={store}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <MediaField
            label="Logo"
            description="Shown over rooms and entry forms. A template can override it."
            accept={['image']}
            file={draft.logo_file}
            error={errors.logo_file_id?.[0]}
            onChange={(file) => store.set({ logo_file: file, logo_file_id: file?.id ?? null })}
          />
          <ColorInput
            fixOnBlur={false}
            label="Accent color"
            description="For buttons and marks on visitors’ pages, HEX such as #1F7A78. Dark colors are lightened so that text on them stays legible. Templates and structures can override it."
            placeholder="Brass"
            format="hex"
            maw={240}
            value={draft.accent_color ?? ''}
            error={errors.accent_color?.[0]}
            onChange={(color) => store.set({ accent_color: color || null })}
          />
          <MediaField
            label="Font"
            description="For 3D text: TTF, OTF, WOFF or typeface JSON. A template can override it."
            accept={['font']}
            file={draft.font_file}
            error={errors.font_file_id?.[0]}
            onChange={(file) => store.set({ font_file: file, font_file_id: file?.id ?? null })}
          />
          <ColorInput
            fixOnBlur={false}
            label="Text color"
            description="For text over rooms, HEX such as #FF0000. A template can override it."
            placeholder="Light on dark"
            format="hex"
            eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
            maw={240}
            value={draft.font_color ?? ''}
            error={errors.font_color?.[0]}
            onChange={(color) => store.set({ font_color: color || null })}
          />
        </Stack>
        <Preview draft={draft} name={entry?.name ?? ''} />
      </SimpleGrid>
    </SettingsForm>
  );
});
