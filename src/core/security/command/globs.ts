/** Names that a pattern must not find. Each stands for its kind. */
export const secretSamples = ['.env', '.env.local', '.env.production', '.npmrc', '.netrc', '.pypirc', '.git-credentials', '.ssh', '.aws', '.gnupg', '.kube', 'id_rsa', 'id_ed25519', 'server.pem', 'private.key', 'key.p12', 'cert.pfx', 'passwords.kdbx', 'terraform.tfstate', 'credentials.json', '.bash_history'];
export const protectedSamples = ['.git', '.gitattributes', '.gitmodules', '.vscode', '.idea', '.devcontainer', '.github', '.gitlab-ci.yml', '.circleci', '.husky', '.npmrc', '.yarnrc', '.envrc', '.mcp.json', '.cursorrules', '.claude', '.agent', 'Jenkinsfile', 'AGENTS.md', 'CLAUDE.md', 'package.json', 'Makefile', 'lefthook.yml', ...secretSamples];

/** True when one component of the pattern may be one of the names. A bare `*` counts only with `hidden`, as the shell leaves out dot files. */
export function mayFind(pattern: string, samples: readonly string[], hidden: boolean): boolean {
  return pattern.split('/').some(part => {
    if (!/[*?[{]/.test(part)) return false;
    if (/^\*+$/.test(part)) return hidden && part === '*';
    return samples.some(name => (hidden || part.startsWith('.') || !name.startsWith('.')) && matches(part, name));
  });
}

/** Matches `*`, `?` and `[…]` without a regular expression of the pattern's making, so that no pattern is slow. A bracket matches any one letter. */
export function matches(pattern: string, name: string): boolean {
  const tokens = pattern.toLowerCase().replace(/\[[^\]]*\]/g, '?').replace(/\*+/g, '*').slice(0, 100);
  const text = name.toLowerCase();
  let reached = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    for (const at of reached) {
      if (token === '*') for (let to = at; to <= text.length; to++) next.add(to);
      else if (at < text.length && (token === '?' || token === text[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}
