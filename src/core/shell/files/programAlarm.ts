import { anyOf, sequence } from '../../text/alternatives';

const allOfEnvironment = new RegExp(
  [
    String.raw`JSON\.stringify\(\s*process\.env\s*[,)]`,
    String.raw`dict\(os\.environ\)`,
    String.raw`json\.dumps\((?:(?!json\.dumps)[^\n)])*os\.environ`,
    String.raw`ENV\.to_h`,
    String.raw`Object\.(entries|values)\(process\.env\)`,
  ].join('|'),
);

/**
 * What a program in a language other than shell should not do without approval. Catches only what is in plain sight; it
 * proves nothing. If an entry has several patterns, all must match.
 */
const alarms: readonly (readonly [RegExp | readonly RegExp[], string])[] = [
  [
    anyOf([
      /\.ssh[/\\'"]/,
      /\bid_(rsa|ed25519|ecdsa)\b/,
      /\.aws[/\\]+credentials/,
      /['"]\.aws['"]/,
      /\/etc\/(shadow|sudoers)/,
      /\.netrc\b/,
      '.git-credentials .pgpass',
      /\.(ba|z)sh_history/,
      /Login Data/,
      /\/proc\/[^'"\s]*environ/,
    ]),
    'Names files that contain keys or passwords.',
  ],
  [
    anyOf([
      /\.(bashrc|bash_profile|zshrc|zprofile|profile)\b/,
      'authorized_keys',
      /\.git[/\\]hooks/,
      /\bcrontab\b/,
      'LaunchAgents systemd/user',
      /CurrentVersion\\+Run\b/,
      /\/etc\/(cron|profile|ld\.so)/,
    ]),
    'Names files that run later.',
  ],
  [
    anyOf([
      sequence([
        /\b(eval|exec|Function|compile)\s*\([^\n]{0,80}/,
        anyOf(['b64decode atob( fromhex unhexlify requests.get urlopen fetch(', /'base64'|"base64"/]),
      ]),
      /curl[^\n|]{0,120}\|\s*(ba|z)?sh\b/,
      /wget[^\n|]{0,120}\|\s*(ba|z)?sh\b/,
    ]),
    'Runs code that is hidden or comes from the network.',
  ],
  [
    anyOf([
      /rmtree\(\s*(['"][/~]|os\.path\.expanduser|Path\.home)/,
      /rm(Sync|dirSync)?\(\s*(['"][/~]|os\.homedir)/,
      /\brm\s+-[rf]+\s+['"]?[/~$]/,
      /rm_rf\(?\s*['"][/~]/,
    ]),
    'Deletes outside the workspace.',
  ],
  [
    /\/dev\/tcp\/|\bnc\s+-[a-z]*e|pty\.spawn|socket[\s\S]{0,400}(dup2|\/bin\/(ba)?sh)/,
    'Lets another machine use a shell.',
  ],
  [
    [allOfEnvironment, /https?:|socket|requests|fetch\(/],
    'Reads every variable of the environment and uses the network.',
  ],
  [
    anyOf([
      /['"`]sudo\s/,
      /['"]sudo['"]/,
      /\b(npm|yarn|pnpm|cargo|twine|gem)['"]?,?\s*(?:\[['"]?\s*|['"]\s*)?(publish|upload)\b/,
      /git['"]?,?\s*(?:\[['"]?\s*|['"]\s*)?push\b/,
    ]),
    'Publishes or uses the rights of another user.',
  ],
];

/** Returns why a program should not run without approval, in words, or undefined if nothing alarming is found. */
export const programAlarm = (text: string): string | undefined =>
  alarms.find(([patterns]) => [patterns].flat().every((pattern) => pattern.test(text)))?.[1];
