import { strict as assert } from 'node:assert';
import { parse } from 'unbash';
import { loadGrammar } from '../../../../src/adapters/scripts/powerShellParser';
import { assessCommand } from '../../../../src/core/shell/assessCommand';
import type { SyntaxNode } from '../../../../src/core/ports/scripts';
import { inBash } from './corpus';

/** Names of all commands in a tree of unbash, including those inside words. */
function ours(tree: object): string[] {
  const found: string[] = [];
  const seen = new Set<object>();
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    if (Array.isArray(node)) return node.forEach(walk);
    const known = node as Record<string, unknown> & { type?: string; name?: { text?: string } };
    if (known.type === 'Command' && known.name?.text) found.push(known.name.text);
    for (const key of [...Object.keys(known), 'parts', 'script']) walk(known[key]);
  };
  walk(tree);
  // The second grammar has a separate node type for tests.
  return found.filter((name) => name !== '[').sort();
}

function theirs(node: SyntaxNode): string[] {
  // `time` is a keyword of bash that the second grammar parses as a program.
  if (node.type === 'command' && node.children[0]?.text === 'time')
    return [
      node.children[1]?.text ?? '',
      ...node.children.slice(2).flatMap((child) => (child ? theirs(child) : [])),
    ].sort();
  const own =
    node.type === 'command_name' || node.type === 'declaration_command' || node.type === 'unset_command'
      ? [node.text.split(/\s/)[0]!]
      : [];
  return [...own, ...node.children.flatMap((child) => (child ? theirs(child) : []))].sort();
}

describe('a command rated below high risk', () => {
  it('contains the same programs according to a second parser', async () => {
    const second = await loadGrammar('bash');
    const rated = inBash.filter(({ command }) => assessCommand(command).level !== 'high');
    assert.ok(rated.length > 150);
    const differ = rated.flatMap(({ command }) => {
      const tree = second(command);
      const [mine, other] = [ours(parse(command)), theirs(tree)];
      return tree.hasError || JSON.stringify(mine) !== JSON.stringify(other)
        ? [{ command, mine, other, error: tree.hasError }]
        : [];
    });
    assert.deepEqual(differ, []);
  });
});
