/** Labels of fields whose name doesn't work as a label. */
const LABELS: Record<string, string> = {
  'config.alt': 'Alternative text',
  'config.body': 'Text',
  'config.caption_width': 'Caption width (units)',
  'config.node': 'Part',
  'config.src': 'Address',
  'config.zoomable': 'Visitors can look closer',
  'config.direct_url': 'Video address',
  'config.id': 'Id',
  'config.sub_title': 'Subtitle',
  'config.sub_title_font_size': 'Subtitle font size (px)',
  'config.font_size': 'Font size (px)',
  'config.title_size': 'Title size (px)',
  'config.padding': 'Padding (px)',
  'config.pulse_duration': 'Pulse duration (ms)',
  'config.angle': 'Angle',
  'config.disable_thumb': 'No preview image',
  'config.thumb': 'Preview image',
  'config.proximity_sensor': 'Only nearby',
  'config.proximity_sensor_audio_only': 'Only its volume',
  'config.proximity_sensor_distance': 'Distance (units)',
  'config.timed': 'Follows the time',
  'config.timed_max_out_of_sync': 'Allowed drift (seconds)',
  'config.realtime': 'Realtime',
  'config.realtime_file_url': 'Realtime model',
  'config.realtime_scale': 'Realtime scale',
  'config.realtime_rotate': 'Realtime rotation',
  'config.feed_id': 'Feed',
  'config.live_stream_id': 'Live stream',
  'config.model_file_url': 'Model',
  'config.model_mesh_selector': 'Mesh names',
  'config.model_animate': 'Animate',
  'config.camera.fov': 'Field of view',
  'config.camera.near': 'Nearest distance',
  'config.camera.far': 'Farthest distance',
  'config.pixelratio': 'Pixel ratio',
  'config.duration': 'Duration (seconds)',
  'config.timed_popup_offset': 'Pop-up offset (seconds)',
  'config.timed_popup_action_required': 'Action required',
  'config.show_timed_popup': 'Show a pop-up',
  'config.show_timed_timer': 'Countdown',
  'config.show_start_popup': 'Show on entering',
  template_id: 'Template',
  ignore_light: 'Ignore light',
  file_id: 'File',
  width: 'Width (units)',
  height: 'Height (units)',
  depth: 'Depth (units)',
  hidden: 'Hidden',
};

/** The display label of a field. */
export function labelOf(path: string): string {
  const known = LABELS[path];
  if (known) return known;
  const words = path.split('.').at(-1)!.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
