/** Camera limits: polar angle in degrees, speed of the wheel, smoothing per frame, units of one step, closest zoom. */
export const CAMERA_LIMITS = { polar: [60, 120], dollySpeed: 5, damping: 0.05, step: 100, zoom: 4 } as const;
