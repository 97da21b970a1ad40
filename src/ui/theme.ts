import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** Brass, light to dark: interactive elements. */
const brass: MantineColorsTuple = [
  '#FBF5EA',
  '#F3E6CD',
  '#E8CF9F',
  '#DCB66E',
  '#D0A04A',
  '#C38E37',
  '#B7822F',
  '#936621',
  '#765019',
  '#583B11',
];
/** Teal: live state. */
const teal: MantineColorsTuple = [
  '#EAF6F5',
  '#CFE9E7',
  '#A2D3D0',
  '#72BBB8',
  '#4AA3A0',
  '#318E8B',
  '#1F7A78',
  '#176462',
  '#104D4B',
  '#0A3736',
];
/** Red: destructive actions. */
const red: MantineColorsTuple = [
  '#FBECEA',
  '#F5D1CD',
  '#EBA59E',
  '#DF776D',
  '#D25447',
  '#C34337',
  '#B3362B',
  '#922A21',
  '#722019',
  '#531611',
];
/** Warm grays, light to dark: borders, wells and neutral badges in the light scheme. */
const gray: MantineColorsTuple = [
  '#F7F6F2',
  '#F1EFE9',
  '#ECEAE3',
  '#DFDCD3',
  '#CFCBC0',
  '#A8A69F',
  '#7D7B75',
  '#5A5954',
  '#403F3B',
  '#2A2926',
];
/** Surfaces, borders and text in the dark scheme. */
const dark: MantineColorsTuple = [
  '#F7F6F2',
  '#DFDCD3',
  '#B9B6AE',
  '#8E8D89',
  '#5F6167',
  '#3B4048',
  '#2A2E35',
  '#1C2026',
  '#14171C',
  '#0D0F13',
];

/** Theme of the back-office and editor: the only place for colors, type and sizes. */
export const theme: MantineThemeOverride = createTheme({
  colors: { brass, teal, red, gray, dark },
  primaryColor: 'brass',
  primaryShade: 7,
  autoContrast: true,
  black: '#14171C',
  white: '#FFFFFF',
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 6,
  respectReducedMotion: true,
  components: {
    Paper: { defaultProps: { bg: 'var(--surface)' } },
    Card: { defaultProps: { bg: 'var(--surface)' } },
    Table: { defaultProps: { bg: 'var(--surface)' } },
    SegmentedControl: { styles: { root: { background: 'var(--well)' } } },
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    ColorInput: { defaultProps: { eyeDropperButtonProps: { 'aria-label': 'Pick a color from the screen' } } },
    Modal: {
      // Dialog titles must not be page headings.
      defaultProps: { attributes: { header: { role: 'presentation' } } },
      styles: { header: { background: 'var(--surface)' }, title: { fontWeight: 600 } },
    },
  },
});

/**
 * Surfaces: paper background in the light scheme, ink in the dark one; cards and lists are bordered surfaces; hovered rows
 * are tinted; images sit on wells.
 */
export const surfaces: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#F7F6F2',
    '--mantine-color-dimmed': '#63625D',
    '--mantine-color-placeholder': '#6B6A65',
    '--surface': '#FFFFFF',
    '--edge': '#DFDCD3',
    '--pointed': '#FBF5EA',
    '--well': '#ECEAE3',
  },
  dark: {
    '--mantine-color-body': '#14171C',
    '--mantine-color-dimmed': '#A8A69F',
    '--mantine-color-placeholder': '#A8A69F',
    '--mantine-color-error': '#EBA59E',
    '--surface': '#1C2026',
    '--edge': '#3B4048',
    '--pointed': '#2A2E35',
    '--well': '#0D0F13',
  },
});
