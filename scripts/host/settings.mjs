/** User settings of a throw-away VS Code: no welcome page, no news, no telemetry, no network access. */
export const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.showReleaseNotes': false,
  // VS Code would rewrite `false` to this in the file, while a test compares it.
  'extensions.autoUpdate': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  // Otherwise it lists the open files of all processes of the machine every two seconds.
  'remote.autoForwardPortsSource': 'output',
  'chat.disableAIFeatures': true,
  'terminal.integrated.gpuAcceleration': 'off',
  'editor.accessibilitySupport': 'off',
};

/**
 * The four kinds of theme in which every view must look right: value of `workbench.colorTheme`, name in the list of
 * themes, class of the workbench.
 */
export const THEMES = {
  dark: { setting: 'Default Dark Modern', name: 'Dark Modern', css: 'vs-dark' },
  light: { setting: 'Default Light Modern', name: 'Light Modern', css: 'vs' },
  'high-contrast-dark': { setting: 'Default High Contrast', name: 'Dark High Contrast', css: 'hc-black' },
  'high-contrast-light': { setting: 'Default High Contrast Light', name: 'Light High Contrast', css: 'hc-light' },
};
