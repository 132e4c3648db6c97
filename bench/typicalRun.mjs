// A typical run in a real repository.
import { execFileSync } from 'node:child_process';
import { root } from '../scripts/repository.mjs';

/** What agents run in a repository: most of it reads, some of it writes, and much of it asks Git. */
const typicalCommands = [
  () => 'ls -la src | head -20',
  () => 'grep -rn "runAgent" bench scripts | head -5',
  () => "sed -n '1,40p' src/cli/main.ts",
  () => 'git status --short | head',
  (step) => `cat > notes-${step % 3}.md <<'END'\n# Note ${step}\nText with $HOME\nEND`,
  (step) => `node -e "console.log('${step}')"`,
  () => "(cd src && find . -name '*.ts' | wc -l)",
  () => "sed -i 's/Text/Words/' notes-*.md; git diff --stat",
];

/** Returns this many steps, see `play` in model.mjs. */
export const typicalCalls = (count) =>
  Array.from({ length: count }, (_, step) => {
    const command = typicalCommands[step % typicalCommands.length](step);
    return { tool: 'run_command', input: { command: `${command}\necho step-${step}` }, expect: `step-${step}` };
  });

/**
 * Clones into an empty folder, without the fixtures of its tests: they contain hundreds of skills, and few repositories
 * do.
 */
export function cloneOfThisRepository(work) {
  const git = (...words) => execFileSync('git', words, { cwd: work });
  git('clone', '--quiet', '--no-hardlinks', '--no-checkout', root, '.');
  git('sparse-checkout', 'set', '--no-cone', '/*', '!/test/fixtures/');
  git('checkout', '--quiet');
}
