import { splitWords } from '../syntax/value';

/**
 * Programs that mean the same in every shell. Names with another meaning on Windows (find, sort, more, tree, where …)
 * are left out.
 */
const programNames = `
  git gh glab npm npx yarn pnpm bun bunx node deno tsc tsx ts-node eslint prettier jest vitest mocha biome
  playwright cypress vite webpack rollup esbuild next nuxt astro ng nx turbo lerna python python3 py pip pip3
  pipx pytest ruff mypy black isort flake8 pylint pyright tox nox coverage uv poetry pipenv conda virtualenv
  flask uvicorn alembic cargo rustc rustup rustfmt go gofmt golangci-lint staticcheck dotnet mvn mvnw gradle
  gradlew java javac jar sbt kotlinc php composer phpunit phpstan ruby bundle rake rspec rubocop gem rails mix
  elixir flutter dart swift zig cmake ctest ninja meson make bazel docker docker-compose podman kubectl helm
  terraform tofu tflint aws gcloud az minikube rg fd jq yq whoami hostname nvm ffmpeg ffprobe magick pandoc
  protoc buf sqlite3 psql mysql redis-cli openssl hadolint shellcheck actionlint markdownlint stylelint serve
  http-server nodemon rush just task
`;
const programs = new Set(splitWords(programNames));

export const isSameInEveryShell = (name: string): boolean => programs.has(name.toLowerCase());
