import { replaceInvisible } from '../../protocol/plain/invisible';
import type { RiskLevel } from '../../protocol/events/event';
import { changesGitInternals } from '../../protocol/plain/riskWords';
import { anyOf, sequence } from '../text/alternatives';

/**
 * What a path means for security. Patterns are matched against the result of `plainPath`, anywhere in it unless
 * anchored.
 */
export interface PathRule {
  readonly pattern: RegExp;
  readonly level: RiskLevel;
  readonly reason: string;
  /** The reason as the end of a sentence that names the file: "Reads .env, which usually contains secrets." */
  readonly about: string;
  /**
   * True if such a file usually belongs to the account, not the project. Modes without approvals may write or use it,
   * unless the workspace contains the home folder.
   */
  readonly account?: true;
  /** Example paths for the tables of SECURITY.md. */
  readonly examples: readonly string[];
}

/** A row of a table. `level` defaults to `high`; `examples` are separated by spaces. */
const rule = ({
  level = 'high',
  examples,
  ...row
}: Omit<PathRule, 'level' | 'examples'> & { readonly level?: RiskLevel; readonly examples: string }): PathRule => ({
  ...row,
  level,
  examples: examples.split(' '),
});

/** Files whose change can later run code or change permissions. */
export const protectedWrites: readonly PathRule[] = [
  rule({
    reason: changesGitInternals,
    about: 'which contains internal data of Git',
    pattern: /(^|\/)\.git(\/|$)/,
    examples: '.git/config .git/hooks/pre-commit',
  }),
  rule({
    reason: 'Changes Git settings, which can run programs.',
    about: 'which can make Git run programs',
    pattern: /(^|\/)\.(git(attributes|modules|config)|lfsconfig)$/,
    examples: '.gitattributes .gitmodules .gitconfig .lfsconfig',
  }),
  rule({
    reason: 'Changes editor settings, which can run programs and change permissions.',
    about: 'which contains editor settings that can run programs',
    pattern: anyOf([
      /(^|\/)\.(vscode|idea|devcontainer|zed|fleet|helix|idx)(\/|$)/,
      /\.code-workspace$/,
      /(^|\/)(\.?devcontainer\.json|\.gitpod\.yml)$/,
      /(^|\/)\.(exrc|nvimrc|nvim\.lua|vimrc|dir-locals\.el)$/,
    ]),
    examples:
      '.vscode/settings.json any.code-workspace .idea/workspace.xml .devcontainer/devcontainer.json .zed/tasks.json .exrc',
  }),
  rule({
    reason: 'Changes what runs in continuous integration.',
    about: 'which decides what runs in continuous integration',
    pattern: anyOf([
      /(^|\/)\.(github|gitea|forgejo)\/(workflows|actions)\//,
      /(^|\/)\.gitlab-ci\.yml$/,
      /(^|\/)\.circleci\//,
      /(^|\/)jenkinsfile$/,
      /(^|\/)(azure-pipelines|bitbucket-pipelines|cloudbuild|\.travis|\.drone|\.woodpecker|\.?appveyor|\.cirrus|\.build|buildspec|codemagic|bitrise)\.ya?ml$/,
      /(^|\/)\.(buildkite|woodpecker|semaphore|teamcity|builds)\//,
    ]),
    examples:
      '.github/workflows/ci.yml .github/actions/build/action.yml .gitlab-ci.yml .circleci/config.yml Jenkinsfile azure-pipelines.yml .travis.yml .buildkite/pipeline.yml .forgejo/workflows/ci.yml .woodpecker.yml',
  }),
  rule({
    reason: 'Changes commit hooks.',
    about: 'which contains commit hooks',
    pattern: anyOf([
      /(^|\/)\.(husky|githooks)\//,
      /(^|\/)\.pre-commit-config\.ya?ml$/,
      /(^|\/)\.?lefthook(-local)?\.(ya?ml|toml|json)$/,
      /(^|\/)\.?simple-git-hooks\.(json|c?js)$/,
      /(^|\/)(\.overcommit\.yml|\.lintstagedrc(\.\w+)?|lint-staged\.config\.\w+)$/,
    ]),
    examples: '.husky/pre-push .githooks/pre-push .pre-commit-config.yaml lefthook.yml',
  }),
  rule({
    reason: 'Changes the instructions that agents follow.',
    about: 'which contains instructions that agents follow',
    pattern: anyOf([
      /(^|\/)((agents?|claude|gemini|qwen|warp|agents\.override|claude\.local)\.md|\.rules)$/,
      /(^|\/)\.(cursor|windsurf|cline|roo)rules([-/]|$)/,
      /(^|\/)skill\.md$/,
      /(^|\/)\.github\/(instructions|prompts|agents|skills|chatmodes|hooks)(\/|$)/,
      /(^|\/)copilot-instructions\.md$/,
      /(^|\/)\.agent(s)?(\/|$)/,
      /\.agent(\.md)?$/,
      /(^|\/)\.(goosehints|roomodes|augment-guidelines|aider\.conf\.yml|(agent|cursor|aider|codeium|cline|roo|gemini)ignore)$/,
    ]),
    examples:
      'AGENTS.md CLAUDE.md GEMINI.md .cursorrules .clinerules/one.md .github/copilot-instructions.md .github/prompts/one.md .github/skills/one/run.sh .agent/rules.md skills/one/SKILL.md .goosehints .agentignore',
  }),
  rule({
    reason: 'Changes what agents may start.',
    about: 'which decides what agents may start',
    pattern: anyOf([
      /(^|\/)\.?mcp(_config|[-_]servers)?\.json$/,
      sequence([
        /(^|\/)\./,
        anyOf([
          'claude copilot cursor gemini codex roo kilocode continue opencode windsurf kiro junie amazonq',
          'augment cline qwen trae goose openhands factory waymark claude-plugin zencoder',
        ]),
        /(\/|$)/,
      ]),
      /(^|\/)\.?(opencode|crush)\.jsonc?$/,
    ]),
    examples:
      '.mcp.json mcp.json .claude/settings.json .copilot/mcp-config.json .cursor/mcp.json .codex/config.toml .roo/mcp.json .kiro/settings/mcp.json opencode.json',
  }),
  rule({
    reason: 'Changes files that control Waymark itself: approvals, log keys, and messages to runs.',
    about: 'which controls Waymark itself',
    pattern: /(^|\/)\.local\/state\/waymark(\/|$)|(^|\/)waymark\/(control\/[0-9a-f]{24}(\/|$)|log\.key$)/,
    examples:
      '.local/state/waymark/control .local/state/waymark/log.key waymark/control/0123456789abcdef01234567/1.stop',
  }),
  rule({
    reason: 'Changes a file that decides what other tools run.',
    about: 'which decides what other tools run',
    pattern: anyOf([
      sequence([
        /(^|\/)/,
        anyOf([
          '.npmrc',
          /\.yarnrc[^/]*/,
          /\.pnpmfile\.[cm]?js/,
          '.envrc .tool-versions',
          /\.?mise(\.[\w-]+)?\.toml/,
          'rust-toolchain rust-toolchain.toml .sbtopts .jvmopts .condarc nuget.config',
          '.ripgreprc sitecustomize.py usercustomize.py .bazelrc pip.conf bunfig.toml .gdbinit .lldbinit',
          '.irbrc .pryrc .rprofile',
        ]),
        /$/,
      ]),
      /(^|\/)\.yarn\/(plugins|releases)\//,
      /(^|\/)(\.mvn|gradle\/wrapper)\//,
      /(^|\/)\.?mise\/(config(\.[\w-]+)?\.toml|tasks\/)/,
      /(^|\/)\.(hg\/hgrc|jj\/(repo\/)?config\.toml)$/,
      /(^|\/)\.(cargo|bundle)\/config(\.toml)?$/,
    ]),
    examples:
      '.npmrc .yarnrc.yml .yarn/releases/yarn.cjs .pnpmfile.cjs .envrc .tool-versions .ripgreprc sitecustomize.py .cargo/config.toml .bundle/config .gdbinit .irbrc .Rprofile .mvn/jvm.config .hg/hgrc',
  }),
  {
    account: true,
    ...rule({
      reason: 'Changes settings of the account.',
      about: 'which contains settings of the account',
      pattern: anyOf([
        sequence([
          /(^|\/)\./,
          anyOf([
            /(bash|zsh|z|k|c|tc)(rc|env|profile|login|logout|aliases|_profile|_login|_logout|_aliases)?/,
            'profile zprofile inputrc xprofile xinitrc xsessionrc pam_environment ssh gnupg aws config',
          ]),
          /(\/|$)/,
        ]),
        /(^|\/)\.local\/bin\//,
      ]),
      examples: '.bashrc .zshenv .profile .inputrc .ssh/config .aws/config .config/autostart/a.desktop .local/bin/a',
    }),
  },
  rule({
    reason: 'Changes a file whose scripts other commands run.',
    about: 'whose scripts other commands run',
    pattern: /(^|\/)(package\.json|makefile)$/,
    examples: 'package.json Makefile',
    level: 'medium',
  }),
];

/** Files that contain secrets. */
export const secretReads: readonly PathRule[] = [
  rule({
    reason: 'Uses an environment file, which usually contains secrets.',
    about: 'which usually contains secrets',
    pattern: anyOf([
      /(^|\/)\.env(\.(?!example$|sample$|template$)[^/]*)?$/,
      /(^|\/)\.?env[-._](prod|production|local|staging|stage|dev|development|live)[^/]*$/,
      /(^|\/)(?!example|sample|template)[^/]+\.env$/,
      /(^|\/)\.(dev\.vars|envrc|flaskenv)$/,
    ]),
    examples: '.env .env.local .env-prod prod.env .dev.vars .envrc',
  }),
  rule({
    account: true,
    reason: 'Uses a file that usually contains a key or password.',
    about: 'which usually contains a key or password',
    pattern: anyOf([
      sequence([
        /\./,
        anyOf(['pem key p8 p12 pfx', /kdbx?/, 'tfstate tfvars jks keystore keytab ppk ovpn asc agekey']),
        /(\.(bak|backup|old|orig|save|enc|\d+))*$/,
      ]),
      sequence([
        /(^|\/)/,
        anyOf([
          'id',
          /[^/]*[_.-](key|deploy|host|ssh|prod|dev|server|github|aws|ec2)/,
          'deploy ssh host prod github server aws ec2',
        ]),
        /_(rsa|dsa|ecdsa|ed25519)[^/]*$/,
      ]),
      sequence([
        /(^|\/)/,
        anyOf(['credentials', /service[-_]?account/, /firebase[-_]adminsdk/, /gcp[-_]key/, /access[-_]?token/]),
        /[^/]*\.(json|ya?ml|toml|csv|txt|ini)(\.enc)?$/,
      ]),
      sequence([
        /(^|\/)[^/]*(secrets?|passwords?)\b[^/]*\./,
        anyOf([/ya?ml/, 'json toml env ini properties txt conf cfg xml csv exs enc plist']),
        /$/,
      ]),
      /(^|\/)[^/]*client_secret[^/]*\.json$/,
      sequence([
        /(^|\/)/,
        anyOf([
          /\.?pgpass/,
          /\.?htpasswd/,
          '.my.cnf',
          /\.?vault[-_](pass|token)[^/]*/,
          /wp-config\.php[^/]*/,
          /kubeconfig(\.ya?ml)?/,
          'kube.config .s3cfg .boto .dockercfg .dockerconfigjson .renviron',
          /(token|key|auth|sa)\.json/,
          'keystore.properties wallet.dat rclone.conf gh/hosts.yml',
        ]),
        /$/,
      ]),
    ]),
    examples:
      'server.pem private.key key.p12 id_ed25519 credentials.json service-account.json secrets.yml terraform.tfstate prod.tfvars passwords.kdbx .pgpass .htpasswd kubeconfig serviceAccount.json client_secret_1.json keys.agekey token.json .vault-token',
  }),
  rule({
    reason: 'Uses a file that usually contains passwords.',
    about: 'which usually contains passwords',
    pattern: anyOf([
      /(^|\/)\.?secrets?(\/[^/.]*)?$/,
      sequence([
        /\./,
        anyOf([/ya?ml/, 'json toml env ini properties txt conf cfg xml csv enc gpg age']),
        /$(?<=(?:^|\/)\.?secrets?\/.*)/,
      ]),
      sequence([
        /(^|\/)/,
        anyOf([
          'database.yml',
          /(local_settings|settings_local)\.py/,
          'localsettings.php local.settings.json',
          /appsettings\.(production|staging)\.json/,
          /application-(prod|production|staging)\.(properties|ya?ml)/,
        ]),
        /$/,
      ]),
    ]),
    examples: 'secrets/prod.yml .secrets config/database.yml local.settings.json',
  }),
  rule({
    account: true,
    reason: 'Uses credentials of the account.',
    about: 'which contains credentials of the account',
    pattern:
      /(^|\/|~\/)[._](ssh|aws|kube|gnupg|netrc|npmrc|pypirc|git-credentials)(\/|$)|\.docker\/config\.json$|(^|\/)gcloud(\/|$)/,
    examples:
      '.ssh/config .aws/credentials .kube/config .gnupg/trustdb.gpg .netrc .npmrc .pypirc .git-credentials .docker/config.json gcloud/access_tokens.db',
  }),
  rule({
    account: true,
    reason: 'Uses secrets of the machine or the account.',
    about: 'which contains secrets of the machine or the account',
    pattern: anyOf([
      /\/proc\/[^/]*\/environ/,
      '/etc/shadow state.vscdb',
      /\.[a-z]+_history$/,
      /(^|\/)(login data|cookies(\.(txt|sqlite))?|logins\.json|key4\.db|\.lesshst|\.viminfo)$/,
      /(^|\/)\.password-store(\/|$)/,
    ]),
    examples: '/proc/1/environ /etc/shadow state.vscdb .bash_history',
  }),
];

/**
 * True if changing this file needs approval in every mode, because it gives instructions to agents, editors, hooks or
 * build servers.
 */
export const isGuarded = (path: string): boolean =>
  [path, `${path}/`].some((one) =>
    matchingRules(one, protectedWrites).some(({ level, account }) => level === 'high' && !account),
  );

/** Folders that may contain anything, but some of whose files are protected by their names. */
const partlyProtected: readonly (readonly [folder: RegExp, file: string])[] = [
  [/(^|\/)\.(github|gitea|forgejo)$/, '/workflows/ci.yml'],
  [/(^|\/)\.yarn$/, '/releases/yarn.cjs'],
  [/(^|\/)\.(cargo|bundle)$/, '/config'],
  [/(^|\/)\.hg$/, '/hgrc'],
  [/(^|\/)\.jj(\/repo)?$/, '/config.toml'],
];

/**
 * Returns the rule for files in a folder that a command creates, replaces or fills as a whole: `mv a .cargo` may create
 * `.cargo/config.toml`, which the command does not name.
 */
export function ruleInside(folder: string): PathRule | undefined {
  const [, file] = partlyProtected.find(([name]) => name.test(plainPath(folder))) ?? [];
  return file === undefined ? undefined : matchingRules(`${folder}${file}`, protectedWrites)[0];
}

/** No operating system opens longer paths, so they are not compared with the rules. */
const maxPathLength = 4096;
const tooLong = rule({
  reason: `Uses a path of more than ${maxPathLength} characters, which is not compared with the rules.`,
  about: 'which is too long to compare with the rules',
  pattern: /^/,
  examples: '',
});

/** Returns the rules that a path matches. Alternative spellings of a name match, too. */
export function matchingRules(path: string, rules: readonly PathRule[]): PathRule[] {
  if (path.length > maxPathLength) return [tooLong];
  const plain = plainPath(path);
  return rules.filter(({ pattern }) => pattern.test(plain));
}

const guardedNames = [
  '.git',
  '.gitattributes',
  '.gitmodules',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.github',
  '.husky',
  '.claude',
  '.cursor',
  '.gemini',
  '.codex',
  '.npmrc',
  '.yarnrc',
  '.envrc',
  '.env',
  '.ssh',
  '.aws',
  '.kube',
  '.gnupg',
  '.netrc',
  '.pypirc',
  '.git-credentials',
];
/** Windows short names for names with a leading dot, without their number. */
const shortNames = new Map(guardedNames.map((name) => [name.slice(1).split('.')[0]!.slice(0, 6), name]));

/**
 * Fast path: true for most paths, which have no alternative spelling except case. Matters when whole folders are
 * checked.
 */
const isPlain = (path: string): boolean => /^[\w\-./@+]*$/.test(path) && !/\.(?:\/|$)/.test(path);

/**
 * Normalizes a path: lower case, composed Unicode, "/" only. Each part is as a lenient file system reads it: without
 * trailing dots and spaces, streams and invisible characters, and with Windows short names expanded.
 */
export function plainPath(path: string): string {
  if (isPlain(path)) return path.toLowerCase();
  const parts = replaceInvisible(path.normalize('NFKC'), () => '')
    .replaceAll('\\', '/')
    .toLowerCase()
    .split('/');
  return parts
    .map((part) =>
      part === '.' || part === '..' ? part : writtenOut(part.replace(/(?<=.):.*/s, '').replace(/(?<![. ])[. ]+$/, '')),
    )
    .join('/');
}

const writtenOut = (part: string): string =>
  part.replace(/^([a-z-]{2,6})~\d+(?:\..*)?$/, (whole, stem: string) => shortNames.get(stem) ?? whole);
