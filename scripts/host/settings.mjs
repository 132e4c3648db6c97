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

/**
 * Built-in extensions that Waymark has nothing to do with. Each adds commands, settings, grammars or languages, which
 * every window reads and registers when it starts.
 */
export const UNRELATED_EXTENSIONS = [
  ...['copilot', 'prompt-basics', 'github', 'github-authentication', 'microsoft-authentication', 'tunnel-forwarding'],
  ...['ms-vscode.js-debug', 'ms-vscode.js-debug-companion', 'ms-vscode.vscode-js-profile-table'],
  ...['debug-auto-launch', 'debug-server-ready', 'npm', 'grunt', 'gulp', 'jake', 'emmet', 'extension-editing'],
  ...['typescript-language-features', 'css-language-features', 'html-language-features', 'php-language-features'],
  ...['markdown-math', 'mermaid-markdown-features', 'media-preview', 'simple-browser'],
  ...['references-view', 'merge-conflict', 'terminal-suggest', 'configuration-editing'],
  ...['theme-abyss', 'theme-kimbie-dark', 'theme-monokai', 'theme-monokai-dimmed', 'theme-quietlight', 'theme-red'],
  ...['theme-solarized-dark', 'theme-solarized-light', 'theme-tomorrow-night-blue'],
  ...['bat', 'clojure', 'coffeescript', 'cpp', 'csharp', 'dart', 'docker', 'dotenv', 'fsharp', 'go', 'groovy'],
  ...['handlebars', 'hlsl', 'ini', 'java', 'julia', 'latex', 'less'],
  ...['log', 'lua', 'make', 'objective-c', 'perl', 'php'],
  ...['powershell', 'pug', 'r', 'razor', 'restructuredtext', 'ruby', 'rust', 'scss', 'shaderlab', 'sql', 'swift'],
  ...['vb', 'xml', 'yaml'],
];
