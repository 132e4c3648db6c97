import { strict as assert } from 'node:assert';
import { assessCommand } from '../../../../src/core/security/command/assessCommand';

const levels: Readonly<Record<string, readonly string[]>> = {
  low: ['make -j4 build', 'make -l 2 -s test', 'make -d test', 'make -h', 'just --list', 'task --list', 'golangci-lint run', 'golangci-lint run --out-format=json', 'pytest --cov-report=term-missing', 'cmake --build . -- -j4', 'cmake --build build --target all -j 2', 'actionlint -oneline', 'npm test -- --watch=false', 'cargo test -- --nocapture', 'cargo clippy -- -D warnings', 'kubectl get pods --output=custom-columns=NAME:.metadata.name'],
  medium: ['make -t', 'erb a.erb', 'csplit -f part data.txt 2', 'split -l 10 data.txt src/part', 'golangci-lint run --out-format=json:lint.json', 'pytest --cov-report=html:htmlcov', 'npx sass a.scss dist/a.css', 'npm start -- --host localhost', 'npm start -- --host 127.0.0.1', 'node scripts/a.js --output out/a.json', 'cmake --build . -- clean'],
  high: [
    'make -l deploy', 'make -d deploy', 'make -p', 'make -O deploy', 'make -k deploy', 'just -e', 'task -g build', 'csplit -s -f .vscode/tasks.json -b %.0d src/a.ts 2', 'csplit -f AGENT -b S.md a 2', 'split -l 1 a .vscode/x', 'split a AGENTS', 'split a x --additional-suffix=/../../b',
    'pylint --output=.vscode/x src', 'pylint --output-format=json:.vscode/x src', 'golangci-lint run --out-format=json:.git/hooks/x', 'golangci-lint run --out-format json:/tmp/a', 'cargo test -- --logfile=.vscode/x', 'cargo test -- --logfile .git/hooks/x', 'pytest --cov-report=html:/tmp/x', 'pytest --cov-report xml:.vscode/x', 'pytest --pastebin=all', 'pytest --pastebin all', 'dotnet test --logger "trx;LogFileName=.vscode/x"', 'npm test -- --outputFile=.vscode/settings.json', 'npm test -- --outputFile .git/hooks/pre-commit', 'node scripts/a.js --output .git/hooks/pre-commit', 'python3 a.py .git/hooks/pre-commit', './scripts/build.sh .vscode/x', 'npx sass a.scss .vscode/x.css', 'npx sass src:.vscode', 'npx lessc a.less .vscode/x.css', 'rustc --print=cfg=.git/hooks/x a.rs',
    'cmake --build . -- install', 'cmake --build . -- --eval=x', 'cmake --build . -- SHELL=./x', 'cmake --build . -- -f /tmp/x', 'cmake --build . --target all install', 'actionlint -shellcheck=/tmp/x', 'actionlint -shellcheck ./x', 'actionlint -pyflakes ./x',
    'cargo clippy -- -C linker=./x', 'cargo clippy -- -Clinker=./x', 'npm start -- --host 0.0.0.0', 'npm run dev -- --host', 'npx vite --host 0.0.0.0', 'npx next dev -H 0.0.0.0', 'python3 manage.py runserver 0.0.0.0:8000', 'rails s -b 0.0.0.0', 'npx ng serve --host=::', 'node scripts/serve.js --bind 0.0.0.0',
  ],
};

describe('what a program is given', () => {
  for (const [level, commands] of Object.entries(levels)) for (const command of commands) it(`makes it ${level}: ${command}`, () => {
    const found = assessCommand(command);
    assert.equal(found.level, level, found.reasons.join(' '));
  });
});
