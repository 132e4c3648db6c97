import assert from 'node:assert/strict';
import type { CommandContext } from '../../../src/core/shell/effects/context';
import { assessCommand } from '../../../src/core/shell/assessCommand';

const level = (command: string): string =>
  assessCommand(command, { workspace: '/home/dev/app', folder: '.', confined: true }).level;
const reasons = (command: string): string => assessCommand(command, { confined: true }).reasons.join(' ');

/** Kinds of commands that were common in public trajectories of other agents, in the sandbox. */
const expected: Readonly<Record<string, readonly string[]>> = {
  low: [
    'dd if=src/picture.ppm bs=1 count=50 2>/dev/null',
    'mount',
    'mount | grep tmpfs',
    'set +H; ls src',
    'curl -sk https://localhost:8443/health',
    'echo "⚠️ two tests fail, ✔️ one passes 👩‍💻"',
    "PYTHONWARNINGS='ignore::DeprecationWarning,default' python -m pytest -q",
    'pytest -q -o "filterwarnings=" -o console_output_style=classic',
    'python -m django test auth_tests --verbosity=2',
    'python3 -m django test auth_tests --settings=tests.test_sqlite',
    'python -m django test auth_tests --settings=django.conf.global_settings',
    'python -m sqlfluff lint query.sql',
    "sed 's/[^/]*$//' notes.txt",
    "sed -n '/^[[:space:]]*#/p;s/[]/]//g' notes.txt",
    "sed -e ':a' -e 'N;$!ba' -e 's/\\n/ /g' notes.txt",
  ],
  medium: [
    './convert weights.json picture.png',
    'gcc -O2 -o tool tool.c -lm && ./tool data.bin',
    'git config user.email dev@example.com',
    "git config user.name 'A Developer'",
    'export PATH="$HOME/.local/bin:$PATH" && python3 -m pytest -q',
    'export PATH=/usr/lib/jvm/java-17-openjdk/bin:$PATH',
    'export JAVA_HOME=/usr/lib/jvm/java-17-openjdk',
    'source work_env/bin/activate',
    'source ~/miniconda3/etc/profile.d/conda.sh && conda activate testbed && pytest -q',
    'conda deactivate',
    'pip install -v --no-use-pep517 --no-build-isolation -e .[test]',
    'mvn -q compile exec:java -Dexec.mainClass="org.example.Main"',
    'mvn surefire-report:report',
    "sed -i '27afrom urllib import parse' src/resolve.py",
    String.raw`sed -i '27a \    return None' src/resolve.py`,
    "sed -i '12i\\\n    # A comment\\\n    if x:\\\n        return y' src/resolve.py",
    "sed -i '206r ./helpers.fixed' src/resolve.py",
    'PYTHONPATH=src:$PYTHONPATH pytest -q',
    'PYTHONPATH=".:$PYTHONPATH" python check.py',
    `cat > notes.txt <<'END'\n${'A line of a long text.\n'.repeat(800)}END`,
  ],
  high: [
    'python -m django migrate',
    'python -m django test auth_tests --settings=production',
    "sed -i '206r /etc/shadow' src/resolve.py",
    "sed -i '12a\\\\\\\ne rm -r src' src/resolve.py",
    "sed -i '12atext\ne rm -r src' src/resolve.py",
    "sed 's/[/]/;#/;e touch pwned' notes.txt",
    "sed 's/[/]/;r x/;e touch pwned' notes.txt",
    "sed 's/[[:space:]/]/;#/;w .git/hooks/post-commit' notes.txt",
    "sed '/[/p;#]/e touch pwned' notes.txt",
    "sed $'t\\ne' notes.txt",
    "sed $'/zz/b\\nemake' notes.txt",
    "sed -i $'b\\nwREADME' notes.txt",
    'django-admin diffsettings',
    'python manage.py test --settings=latest.production',
    'python manage.py test --test=os.Evil',
    'OUT=$(cat evil); OUT=build:$OUT make',
    'CC=gcc:$CC make',
    'PYTHONPATH=/tmp/x:$PYTHONPATH pytest -q',
    'PYTHONPATH=src:$OTHER pytest -q',
    'dd if=/dev/zero of=/dev/sda',
    'dd of=src/a.ts',
    'dd if=/etc/shadow bs=1 count=50',
    'mount /dev/sdb1 /mnt',
    'echo "a\u200bb"',
    'echo "a\ufe0fb"',
    "PYTHONWARNINGS='ignore::evil.Warning' python -m pytest -q",
    './convert weights.json ../other.json',
    './convert .env',
    'pytest -o addopts=-pevil',
    'pytest --override-ini=python_files=evil.py',
    'pytest --overr=addopts=-pevil',
    'pytest -o filterwarnings=error::evil.Warning',
    'git config --global user.email dev@example.com',
    'git config core.pager ./evil',
    'git config user.name "$(id)"',
    'export PATH="./bin:$PATH"',
    'export PATH="/tmp/x:$PATH"',
    'export PATH="$HOME/.local/bin"',
    'export PATH="$HOME/.local/bin:$OTHER:$PATH"',
    'export JAVA_HOME=/tmp/jdk',
    'source scripts/env.sh',
    'source /tmp/miniconda3/etc/profile.d/conda.sh',
    'conda activate ./env',
    'conda activate "$NAME"',
    'set -H',
    'curl -sk https://example.org',
    'curl -sk https://localhost:8443/a https://example.org',
    'source ../work_env/bin/activate',
    'mvn jib:build',
    'mvn compile docker:build',
    'mvn deploy',
    'mvn exec:exec -Dexec.executable=sh',
    `echo ${'a'.repeat(9000)}`,
    `cat <<END\n${'$(id)\n'.repeat(2000)}END`,
  ],
};

describe('what other agents run', () => {
  for (const [risk, commands] of Object.entries(expected))
    for (const command of commands)
      it(`is ${risk} risk: ${JSON.stringify(command.slice(0, 80))}`, () => assert.equal(level(command), risk));

  it('is named truly on a card', () => {
    assert.match(reasons('shred -vfz -n 3 old.txt'), /^Overwrites old\.txt for good/);
    assert.match(reasons('shred -u old.txt'), /^Overwrites and deletes old\.txt/);
    assert.doesNotMatch(reasons('./convert weights.json picture.png'), /after the same line/);
    assert.doesNotMatch(reasons('python gen.py > out.csv && python load.py out.csv'), /after the same line/);
    assert.match(reasons('cp a.py b.py && python load.py b.py'), /after the same line changed b\.py/);
    assert.match(reasons('python gen.py > load.py && python load.py out.csv'), /after the same line changed load\.py/);
  });

  it('run a module of the project like its file, but not an unknown one', () => {
    const withModule = (alarm: string): CommandContext => ({
      workspace: '/home/dev/app',
      folder: '.',
      confined: true,
      lookUp: (kind, name) =>
        kind === 'program' && name === 'tools/report/__main__.py'
          ? { standing: 'same', ...(alarm && { alarm }) }
          : undefined,
    });
    const judged = (command: string, alarm = '') => assessCommand(command, withModule(alarm));
    assert.equal(
      judged('python -m tools.report --year 2026').level,
      assessCommand('python tools/report/__main__.py --year 2026', withModule('')).level,
    );
    assert.notEqual(judged('python -m tools.report').level, 'high');
    assert.equal(judged('cd tools && python -m report').level, judged('python -m tools.report').level);
    assert.match(
      judged('python -m tools.report', 'Names files that contain keys.').reasons.join(' '),
      /Names files that contain keys/,
    );
    assert.equal(judged('python -m tools.report --out ../x.csv').level, 'high');
    for (const command of ['python -m tools.other', `python -m timeit "__import__('shutil').rmtree('src')"`])
      assert.equal(judged(command).level, 'high', command);
    assert.equal(judged('python -m tools.report; cd .. && python -m tools.report').level, 'high');
    assert.match(
      judged('cp a.py tools/report/__main__.py && python -m tools.report').reasons.join(' '),
      /after the same/,
    );
  });

  it('name a folder above the workspace without its dots', () =>
    assert.equal(reasons('cd ..'), 'Lists a folder above the workspace.'));
});
