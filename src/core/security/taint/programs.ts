import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';

/**
 * Facts about programs by name, for the taint meter and for the categories that a person wants to be asked about.
 * Levels come from the command tables.
 */

const reaching = exactlyOneOf([
  'curl wget aria2c http https xh lynx w3m links ssh scp sftp rsync ftp telnet nc ncat netcat',
  'socat ping dig nslookup host traceroute whois mail sendmail gh glab aws gcloud gsutil az',
  'kubectl oc helm heroku vercel netlify fly flyctl firebase npx uvx bunx pipx',
  'pulumi snyk semgrep lychee crane skopeo',
]);
const verbs: readonly (readonly [program: RegExp, verb: RegExp])[] = [
  [/^git$/, /^(push|fetch|pull|clone|ls-remote|submodule|send-email|archive)$/],
  [
    /^(npm|pnpm|yarn|bun)$/,
    exactlyOneOf([
      'i install add ci in create init dlx exec x publish unpublish view info show v search audit',
      'outdated update up upgrade login whoami dist-tag owner deprecate pack ping doctor npm team org hook',
    ]),
  ],
  [
    /^(pip|pip3|uv|poetry|pdm|conda|mamba)$/,
    /^(install|download|add|search|update|upgrade|publish|sync|pip|lock|index)$/,
  ],
  [/^cargo$/, /^(install|add|fetch|update|publish|search|login|yank|info|owner|outdated|audit|generate-lockfile)$/],
  [/^go$/, /^(get|install|mod)$/],
  [/^(gem|bundle|composer)$/, /^(install|add|require|update|push|search|info|fetch|outdated|audit|diagnose)$/],
  [/^(docker|podman)$/, /^(pull|push|run|build|login|search|compose|manifest)$/],
  [/^(brew|apt|apt-get|dnf|yum|apk|snap|flatpak)$/, /^(install|add|update|upgrade|search|info|get|outdated)$/],
  [/^openssl$/, /^(s_client|s_time|ocsp)$/],
  [/^dotnet$/, /^(restore|package|nuget)$/],
  [/^(terraform|tofu)$/, /^(init|plan|apply|destroy|refresh|import|state)$/],
];
/** Verbs of verbs, and options that make a verb ask a server. */
const asking = sequence([
  /^/,
  anyOf([
    /git( -C \S+)* remote( -v| --verbose)* (show|update|prune)\b/,
    /go list\b.* -(m|u|versions)\b/,
    /(pip3?|python[\d.]* -m pip|uv( pip)?|poetry|gem|composer) (list|show|tree)\b.* (-o|-r|-a|-l|--outdated|--remote|--latest|--available|--all)\b/,
    /python[\d.]* -m pip (install|download|index)\b/,
  ]),
]);
const inlineNetwork = /:\/\/|\/dev\/(tcp|udp)\/|\b(fetch|urlopen|urllib|requests|socket|https?)\b/;
const runsText = /^(python[\d.]*|node|deno|bun|perl|ruby|php|lua|Rscript|osascript|pwsh|powershell)$/;
const installs: readonly (readonly [program: RegExp, verb: RegExp])[] = [
  [/^(npm|pnpm|yarn|bun)$/, /^(i|in|install|add|ci|create|dlx|exec|x|update|up|upgrade|link|remove|rm|uninstall|un)$/],
  [/^(pip|pip3|uv|poetry|pdm|conda|mamba)$/, /^(install|add|download|sync|update|upgrade|remove|uninstall|pip)$/],
  [
    /^(cargo|gem|bundle|composer|brew|apt|apt-get|dnf|yum|apk|snap|flatpak|pipx)$/,
    /^(install|add|require|update|upgrade|remove|uninstall)$/,
  ],
  [/^go$/, /^(get|install)$/],
];
const rewrites = sequence([
  /^git( -C \S+| -c \S+)* /,
  anyOf([
    'push rebase reset filter-branch filter-repo update-ref replace gc prune',
    /reflog (expire|delete)/,
    /commit\b.*--amend/,
    /stash (drop|clear)/,
    /(branch|tag) .*-([dDfmM]|-delete|-force|-move)/,
  ]),
  /\b/,
]);

const starter =
  /^(sudo|doas|env|nohup|setsid|time|command|exec|xargs|builtin|timeout|nice|\d+[smh]?|[A-Za-z_]\w*=.*|-\w+)$/;

/** Returns the words of one command without wrappers such as `sudo`, `env X=1`, `timeout 5`. */
function withoutWrappers(command: string): string[] {
  const words = command
    .replace(/["'\\]/g, '')
    .split(/\s+/)
    .filter(Boolean);
  const first = words.findIndex((word) => !starter.test(word));
  const own = words.slice(first < 0 ? -1 : first);
  if (own[0] !== undefined) own[0] = own[0].split('/').at(-1)!;
  return own;
}

function matchesTable(command: string, table: readonly (readonly [RegExp, RegExp])[]): boolean {
  const [program = '', ...rest] = withoutWrappers(command);
  const verb = rest.find((word, index) => !word.startsWith('-') && !/^-[Cc]$/.test(rest[index - 1] ?? ''));
  return verb !== undefined && table.some(([one, of]) => one.test(program) && of.test(verb));
}

/** Returns whether one command contacts another machine, as far as its words say. */
export const reachesNetwork = (command: string): boolean =>
  reaching.test(withoutWrappers(command)[0] ?? '') ||
  matchesTable(command, verbs) ||
  asking.test(withoutWrappers(command).join(' ')) ||
  (runsText.test(withoutWrappers(command)[0] ?? '') && inlineNetwork.test(command)) ||
  /\/dev\/(tcp|udp)\//.test(command);

/** Returns whether a command changes what is installed. `npx` and similar programs download what they run. */
export const changesPackages = (command: string): boolean =>
  matchesTable(command, installs) || /^(npx|uvx|bunx|pipx)$/.test(withoutWrappers(command)[0] ?? '');

export const changesHistory = (command: string): boolean => rewrites.test(withoutWrappers(command).join(' '));

export const printsVariables = (command: string): boolean =>
  /^(printenv|env|set|export|declare)$/.test(withoutWrappers(command)[0] ?? '') ||
  /^(printenv|env|export -p|set)\b/.test(command.trim());

/** Programs that only print information and run nothing from the project. */
const showing = exactlyOneOf([
  'cat tac head tail less more nl grep egrep fgrep rg sed awk cut sort uniq wc tr jq yq ls tree',
  'find fd stat file du diff cmp basename dirname realpath readlink echo printf pwd cd true test',
  'column paste comm strings xxd od',
]);

export const onlyShows = (command: string): boolean =>
  showing.test(withoutWrappers(command)[0] ?? '') ||
  /^git( -C \S+)* (log|show|diff|blame|status|ls-files|grep|rev-parse|cat-file)\b/.test(
    withoutWrappers(command).join(' '),
  );
