import type { RiskLevel } from '../../protocol/event';

/** What a path means for safety. Patterns are matched against the lower-cased path with "/", anywhere in it unless anchored. */
export interface PathRule {
  readonly pattern: RegExp;
  readonly level: RiskLevel;
  readonly reason: string;
  /** Of the account, not of the project: a mode that asks nothing lets it be written. */
  readonly account?: true;
}

/** Files whose change runs code or changes permissions later. */
export const protectedWrites: readonly PathRule[] = [
  { pattern: /(^|\/)\.git(\/|$)/, level: 'high', reason: 'It changes the internals of the Git repository.' },
  { pattern: /(^|\/)\.git(attributes|modules|config)$/, level: 'high', reason: 'Git settings can run programs.' },
  { pattern: /(^|\/)(\.vscode|\.idea|\.devcontainer)(\/|$)|\.code-workspace$/, level: 'high', reason: 'Editor settings can run programs and change permissions.' },
  { pattern: /(^|\/)\.github\/workflows\/|(^|\/)\.gitlab-ci\.yml$|(^|\/)\.circleci\/|(^|\/)jenkinsfile$|(^|\/)(azure-pipelines|bitbucket-pipelines|\.travis|\.drone|appveyor)\.ya?ml$|(^|\/)\.buildkite\//, level: 'high', reason: 'It changes what runs in continuous integration.' },
  { pattern: /(^|\/)\.husky\/|(^|\/)\.pre-commit-config\.yaml$|(^|\/)lefthook\.yml$/, level: 'high', reason: 'It changes commit hooks.' },
  { pattern: /(^|\/)(agents|claude|gemini)\.md$|(^|\/)\.(cursor|windsurf|cline)rules(\/|$)|(^|\/)skill\.md$|(^|\/)\.github\/(instructions|prompts|agents)(\/|$)|(^|\/)copilot-instructions\.md$|(^|\/)\.agent(s)?(\/|$)|\.agent(\.md)?$/, level: 'high', reason: 'It changes the instructions that agents follow.' },
  { pattern: /(^|\/)\.?mcp\.json$|(^|\/)\.(claude|cursor|gemini|codex)(\/|$)/, level: 'high', reason: 'It changes what agents may start.' },
  { pattern: /(^|\/)(\.npmrc|\.yarnrc[^/]*|\.pnpmfile\.cjs|\.envrc|\.tool-versions|\.ripgreprc|sitecustomize\.py)$/, level: 'high', reason: 'This file changes what other tools run.' },
  { pattern: /(^|\/)\.(bash|zsh|profile|bashrc|zshrc|bash_profile|zprofile|ssh|gnupg|aws|config)(\/|$)/, level: 'high', reason: 'It changes settings of the account.', account: true },
  { pattern: /(^|\/)(package\.json|makefile)$/, level: 'medium', reason: 'Scripts in this file are run by other commands.' },
];

/** Files that hold secrets. */
export const secretReads: readonly PathRule[] = [
  { pattern: /(^|\/)\.env(\.(?!example$|sample$|template$)[^/]*)?$/, level: 'high', reason: 'Environment files usually hold secrets.' },
  { pattern: /\.(pem|key|p12|pfx|kdbx|tfstate)$|(^|\/)id_(rsa|dsa|ecdsa|ed25519)[^/]*$|(^|\/)credentials[^/]*\.json$/, level: 'high', reason: 'This file usually holds a key or password.' },
  { pattern: /(^|\/|~\/)\.(ssh|aws|kube|gnupg|netrc|npmrc|pypirc|git-credentials)(\/|$)|\.docker\/config\.json$|(^|\/)gcloud(\/|$)/, level: 'high', reason: 'It holds the credentials of the account.' },
  { pattern: /\/proc\/[^/]*\/environ|\/etc\/shadow|state\.vscdb|\.(bash|zsh)_history$/, level: 'high', reason: 'It holds secrets of the machine or the account.' },
];

/** Whether a change of this file is asked about in every mode: it tells agents, editors, hooks or build servers what to do. */
export const isGuarded = (path: string): boolean => [path, `${path}/`].some(one => rulesFor(one, protectedWrites).some(({ level, account }) => level === 'high' && !account));

/** The rules that a path meets. Trailing dots, spaces and invisible letters do not hide it. */
export function rulesFor(path: string, rules: readonly PathRule[]): PathRule[] {
  const plain = path.normalize('NFKC').replace(/[\u200b-\u200f\u2060\ufeff]/g, '').replaceAll('\\', '/').toLowerCase().split('/').map(part => (part === '.' || part === '..' ? part : part.replace(/[. ]+$/, ''))).join('/');
  return rules.filter(({ pattern }) => pattern.test(plain));
}
