/** A setting whose value Git starts as a program. */
interface ProgramSetting {
  /** Full names in lower case. */
  readonly names: RegExp;
  /** Values in a repository that start nothing, or a program that everyone has. */
  readonly harmless: RegExp;
  /** The verbs that start it. Absent if any may, also those that only read. */
  readonly verbs?: RegExp;
  /** A value with which Git can read without starting a program of the repository. */
  readonly neutral?: string;
}

const none = /^$/;

/**
 * Shows a difference like Git does, without running a program of the repository. The shell function receives the path
 * as $1, the old file as $2 and the new file as $5.
 */
const plainDifference = 'show() { [ $# -lt 5 ] || diff -u --label "a/$1" --label "b/$1" "$2" "$5"; true; }; show';

/** ★ All settings whose value Git starts as a program. Aliases and the folder of hooks are not among them. */
const programSettings: readonly ProgramSetting[] = [
  { names: /^core\.fsmonitor$/, harmless: /^(?:true|false|yes|no|on|off|0|1|)$/i },
  { names: /^(?:core\.pager|pager\..+)$/, harmless: /^(?:cat|less|more|true|false|)$/i },
  { names: /^core\.(?:sshcommand|gitproxy|askpass)$/, harmless: none },
  { names: /^core\.alternaterefscommand$/, harmless: none, neutral: 'true' },
  { names: /^diff\.(?:external|.*\.command)$/, harmless: none, neutral: plainDifference },
  { names: /^diff\..*\.textconv$/, harmless: none, neutral: 'cat' },
  { names: /^filter\..*\.(?:clean|smudge|process)$/, harmless: /^git-lfs [\w-]+(?: -- %f)?$/, neutral: '' },
  { names: /^gpg\.(?:.*\.)?program$/, harmless: /^(?:gpg2?|ssh-keygen|)$/, neutral: 'false' },
  { names: /^gpg\.ssh\.defaultkeycommand$/, harmless: /^(?:ssh-add -L|)$/ },
  { names: /^(?:uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs))$/, harmless: none },
  { names: /^hook\..+\.command$/, harmless: none },
  { names: /^lfs\.(?:customtransfer\..+\.path|extension\..+\.(?:clean|smudge))$/, harmless: none },
  { names: /^man\..+\.(?:cmd|path)$/, harmless: none, verbs: /^help$/ },
  { names: /^trailer\..+\.(?:cmd|command)$/, harmless: none, verbs: /^(?:interpret-trailers|commit)$/ },
  {
    names: /^(?:core|sequence)\.editor$/,
    harmless: /^(?:true|:|)$/,
    verbs: /^(?:commit|rebase|merge|tag|notes|revert|cherry-pick|am|branch|config|add|var)$/,
  },
  {
    names: /^merge\..*\.driver$/,
    harmless: none,
    // Git merges again to show what a merge changed.
    neutral: 'false',
    verbs: /^(?:merge|merge-tree|rebase|cherry-pick|revert|pull|stash|am|apply|checkout|switch|log|show|diff)$/,
  },
  {
    names: /^(?:difftool|mergetool|guitool|browser)\..+\.(?:cmd|path)$|^instaweb\.httpd$/,
    harmless: none,
    verbs: /^(?:difftool|mergetool|gui|citool|help|instaweb|web--browse)$/,
  },
  {
    names: /^interactive\.difffilter$/,
    harmless: none,
    verbs: /^(?:add|stage|reset|checkout|restore|stash|commit)$/,
  },
  {
    names: /^credential\.(?:.+\.)?helper$/,
    harmless: /^(?:cache|store|osxkeychain|manager(?:-core)?|libsecret|wincred|)$/,
    verbs: /^(?:fetch|pull|push|clone|ls-remote|remote|submodule|credential|lfs|archive|send-email|imap-send)$/,
  },
  {
    names: /^submodule\..+\.update$/,
    harmless: /^(?:checkout|rebase|merge|none|)$/,
    verbs: /^(?:submodule|clone|pull|fetch|checkout|switch|reset)$/,
  },
  { names: /^tar\..+\.command$/, harmless: none, verbs: /^(?:archive|upload-archive)$/ },
  { names: /^gc\.recentobjectshook$/, harmless: none, verbs: /^(?:gc|prune|repack|maintenance)$/ },
  {
    names: /^sendemail\..*(?:cmd|server)$|^imap\.tunnel$/,
    harmless: none,
    verbs: /^(?:send-email|imap-send)$/,
  },
];

/** Returns what is known about a setting whose value is a program. `name` may be in any case. */
export function programSettingNamed(name: string): ProgramSetting | undefined {
  // Line breaks in the name of a driver, which "." does not match.
  const plain = name.toLowerCase().replace(/[\r\n\u2028\u2029]/g, '_');
  return programSettings.find(({ names }) => names.test(plain));
}

/** Returns whether Git may start the program of a setting for this verb. Names that are not in the table count. */
export function mayStartProgram(name: string, verb: string): boolean {
  if (/^(?:|version|rev-parse|init)$/.test(verb)) return false;
  const { verbs } = programSettingNamed(name) ?? {};
  return verbs === undefined ? verb !== 'config' : verbs.test(verb);
}
