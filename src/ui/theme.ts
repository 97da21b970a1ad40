import {
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** Brass, from pale to dark: what can be done. */
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
/** Teal: what is live. */
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
/** Red: what destroys. */
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
/** Paper to ink: surfaces, lines and words in the dark scheme. */
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

/** The one place that names colours, type and measures of the back-office and the editor. */
export const theme: MantineThemeOverride = createTheme({
  colors: { brass, teal, red, dark },
  primaryColor: 'brass',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  black: '#14171C',
  white: '#FFFFFF',
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 6,
  respectReducedMotion: true,
});

/** Paper behind everything in the light scheme, ink in the dark one; cards and fields stand out from it. */
export const surfaces: CSSVariablesResolver = () => ({
  variables: {},
  light: { '--mantine-color-body': '#F7F6F2' },
  dark: { '--mantine-color-body': '#14171C' },
});
