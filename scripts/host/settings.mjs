/** User settings of a throw-away VS Code: no welcome, no news, no telemetry, nothing that looks for the network. */
export const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
  'terminal.integrated.gpuAcceleration': 'off',
  'editor.accessibilitySupport': 'off',
};

/** The four themes that every view must look right in. */
export const THEMES = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast-dark': 'Default High Contrast',
  'high-contrast-light': 'Default High Contrast Light',
};
