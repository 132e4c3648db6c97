import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import { justRecipe } from '../../../src/core/security/scripts/justRecipe';
import { makeTarget } from '../../../src/core/security/scripts/makeTarget';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

/** Returns what make says it would run for a target. */
function saidByMake(makefile: string, target: string): string {
  const workspace = temporaryWorkspace();
  try {
    workspace.place('Makefile', makefile);
    return execFileSync('make', ['-n', '--no-print-directory', target], { cwd: workspace.root, encoding: 'utf8' });
  } finally {
    workspace.stop();
  }
}

describe('the commands of a make target', () => {
  it('have the order of make, with each shared prerequisite once', function () {
    if (spawnSync('make', ['--version']).status !== 0) this.skip(); // make is not installed
    const makefiles = [
      'all: left right\n\techo all\nleft: base\n\techo left\nright: base other\n\techo right\nbase:\n\techo base\nother:\n\techo other\n',
      'all: a b c\n\techo all\na: c\n\techo a\nb: a\n\techo b\nc:\n\techo c\n',
      'NAME = world\nall: hello\nhello:\n\techo $(NAME)\n',
    ];
    for (const makefile of makefiles) assert.equal(`${makeTarget(makefile, 'all')}\n`, saidByMake(makefile, 'all'));
  });

  it('are found behind 50,000 chained targets', () => {
    const length = 50_000;
    const links = Array.from({ length }, (_unused, at) => `t${at}: t${at + 1}\n`);
    assert.equal(makeTarget(`${links.join('')}t${length}:\n\techo end\n`, 't0'), 'echo end');
  });

  it('are found in a cycle of targets, and with 200,000 prerequisites', () => {
    assert.equal(makeTarget('a: b\n\techo a\nb: a\n\techo b\n', 'a'), 'echo b\necho a');
    const names = Array.from({ length: 200_000 }, (_unused, at) => `t${at}`);
    assert.equal(makeTarget(`all: ${names.join(' ')}\n\techo end\n`, 'all'), 'echo end');
  });
});

describe('the commands of a just recipe', () => {
  it('follow those of its dependencies, each once', () => {
    const justfile =
      'all: left right\n  echo all\nleft: base\n  echo left\nright: base\n  echo right\nbase:\n  echo base\n';
    assert.equal(justRecipe(justfile, 'all'), 'echo base\necho left\necho right\necho all');
    assert.equal(justRecipe('all: gone\n  echo all\n', 'all'), undefined);
    assert.equal(justRecipe('all: (say)\n  echo all\nsay word:\n  echo {{word}}\n', 'all'), undefined);
  });

  it('are found behind 50,000 chained recipes', () => {
    const length = 50_000;
    const links = Array.from({ length }, (_unused, at) => `r${at}: r${at + 1}\n`);
    assert.equal(justRecipe(`${links.join('')}r${length}:\n  echo end\n`, 'r0'), 'echo end');
  });
});
