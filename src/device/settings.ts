/** How a run on a screen goes about it (DEV-7; architecture 11.8). Times in milliseconds; on the wire in seconds. */
export interface DeviceSettings {
  /** at least 1 */
  readonly maxSteps: number;
  /** waited after an action where its own settle time is shorter */
  readonly stepDelayMs: number;
  /** tries after the first, for actions, predictions and captures */
  readonly maxRetries: number;
  /** null: 0.5, 1, 2, 4 s, at most 8 */
  readonly retryDelayMs: number | null;
  readonly includeStepInfo: boolean;
  readonly useAccessibilityTree: boolean;
  readonly validateScreenChange: boolean;
  readonly askUserTimeoutMs: number;
  readonly mcpTimeoutMs: number;
  /** steps between two saves of what there is so far */
  readonly saveEvery: number;
  readonly reconnectTimeoutMs: number;
  /** where the pictures of a finished trajectory are */
  readonly screenshots: "files" | "base64";
}

export const DEVICE_DEFAULTS: DeviceSettings = {
  maxSteps: 50,
  stepDelayMs: 0,
  maxRetries: 2,
  retryDelayMs: null,
  includeStepInfo: false,
  useAccessibilityTree: false,
  validateScreenChange: false,
  askUserTimeoutMs: 120_000,
  mcpTimeoutMs: 60_000,
  saveEvery: 10,
  reconnectTimeoutMs: 30_000,
  screenshots: "files",
};

/** The same as a trajectory has them: the specification's names, seconds. */
export const settingsOnWire = (settings: DeviceSettings) => ({
  max_steps: settings.maxSteps,
  step_delay: settings.stepDelayMs / 1000,
  max_retries: settings.maxRetries,
  retry_delay: settings.retryDelayMs === null ? null : settings.retryDelayMs / 1000,
  include_step_info: settings.includeStepInfo,
  use_accessibility_tree: settings.useAccessibilityTree,
  validate_screen_change: settings.validateScreenChange,
  ask_user_timeout: settings.askUserTimeoutMs / 1000,
  mcp_timeout: settings.mcpTimeoutMs / 1000,
  save_every: settings.saveEvery,
  reconnect_timeout: settings.reconnectTimeoutMs / 1000,
  screenshots: settings.screenshots,
});
