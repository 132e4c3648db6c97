/** Names under which models send the text of a patch, and the argument list of a command, as Codex's models do. */
const names = ['input', 'patchText', 'patch_text', 'command'];

/**
 * Brings the forms in which models send a patch into `{patch}`: `{input}`, the text alone, `["apply_patch", text]`, and
 * `["bash", "-lc", "apply_patch <<'EOF' …"]`. What is none of them stays as it is.
 */
export function patchArgument(raw: unknown): unknown {
  const text = textOf(raw);
  return text === undefined ? raw : { patch: text };
}

function textOf(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (Array.isArray(raw)) return textOfCommand(raw);
  if (typeof raw !== 'object' || raw === null) return undefined;
  const fields = raw as Record<string, unknown>;
  if (fields.patch !== undefined) return Array.isArray(fields.patch) ? textOfCommand(fields.patch) : undefined;
  const name = names.find((candidate) => fields[candidate] !== undefined);
  return name === undefined ? undefined : textOf(fields[name]);
}

function textOfCommand(words: readonly unknown[]): string | undefined {
  const [program, ...rest] = words;
  const text = rest[rest.length - 1];
  if (typeof program !== 'string' || typeof text !== 'string') return undefined;
  const isPatchCommand = /^apply_?patch$/.test(program) && rest.length === 1;
  const isShell = /^(bash|sh|zsh)$/.test(program) && rest.length === 2 && /^\s*apply_?patch\b/.test(text);
  return isPatchCommand || isShell ? text : undefined;
}
