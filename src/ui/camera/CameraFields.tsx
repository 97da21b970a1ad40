import { Fieldset, NumberInput, SimpleGrid, Stack, Switch } from '@mantine/core';
import type { z } from 'zod';
import type { cameraSchema } from '../../../engine/document/camera.ts';
import type { Messages } from '../../contract/errors.ts';

export type Camera = z.output<typeof cameraSchema>;

/** Degrees to radians: the form uses degrees, documents use radians. */
const DEGREE = Math.PI / 180;

const SWITCHES = [
  ['rotate', 'Rotation', 'Lets visitors look around. Shows a joystick, or turn controls in a panorama.'],
  ['rotate_left_button', 'Rotate with left mouse button', 'The left button also looks around.'],
  ['zoom', 'Zoom', 'Wheel and pinch zoom.'],
  ['manual_panning', 'Manual panning', 'Limits movement to the two positions below. In a panorama, allows walking.'],
] as const;

/** Camera movement switches. */
export function CameraSwitches({ camera, onChange }: { camera: Camera; onChange(changes: Partial<Camera>): void }) {
  return SWITCHES.map(([name, label, description]) => (
    <Switch
      key={name}
      label={label}
      description={description}
      checked={camera[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.checked })}
    />
  ));
}

/** Camera fields of a template. */
export function CameraFields({
  camera,
  errors,
  onChange,
}: {
  camera: Camera;
  /** Errors by field path, such as `position.x`. */
  errors: Messages;
  onChange(changes: Partial<Camera>): void;
}) {
  const field = (label: string, path: string, value: number, set: (value: number) => void, step: number) => (
    <NumberInput
      key={path}
      label={label}
      value={value}
      error={errors[path]?.[0]}
      step={step}
      onChange={(next) => next !== '' && Number.isFinite(Number(next)) && set(Number(next))}
    />
  );
  const vector = (name: 'position' | 'min_pan' | 'max_pan', legend: string) => (
    <Fieldset legend={legend}>
      <SimpleGrid cols={3}>
        {(['x', 'y', 'z'] as const).map((axis) =>
          field(
            axis.toUpperCase(),
            `${name}.${axis}`,
            camera[name][axis],
            (value) => onChange({ [name]: { ...camera[name], [axis]: value } }),
            10,
          ),
        )}
      </SimpleGrid>
    </Fieldset>
  );
  return (
    <Stack>
      {vector('position', 'Position (units)')}
      <Fieldset legend="Rotation (degrees)">
        <SimpleGrid cols={3}>
          {(['x', 'y'] as const).map((axis) =>
            field(
              axis === 'x' ? 'X: up and down' : 'Y: left and right',
              `rotation.${axis}`,
              Number((camera.rotation[axis] / DEGREE).toFixed(2)),
              (value) => onChange({ rotation: { ...camera.rotation, [axis]: value * DEGREE } }),
              5,
            ),
          )}
        </SimpleGrid>
      </Fieldset>
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {field('Near (units)', 'near', camera.near, (near) => onChange({ near }), 0.1)}
        {field('Far (units)', 'far', camera.far, (far) => onChange({ far }), 100)}
        {field('Field of view (degrees)', 'fov', camera.fov, (fov) => onChange({ fov }), 1)}
      </SimpleGrid>
      <CameraSwitches camera={camera} onChange={onChange} />
      {camera.manual_panning && (
        <>
          {vector('min_pan', 'Lowest position (units)')}
          {vector('max_pan', 'Highest position (units)')}
        </>
      )}
    </Stack>
  );
}
