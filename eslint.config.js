// Only rules that catch mistakes; the layout is the formatter's (`npm run format`). Rules that need to know types are
// in .oxlintrc.json: oxlint checks them faster. Whether a regular expression is linear, test/linear tells.
import tseslint from 'typescript-eslint';

const namespaceOnly = "Write `import * as z from 'zod'`: the named import keeps every locale in the bundle.";
const longPattern = 'Nobody can read this in one line: write it as a list (src/core/text/alternatives.ts).';

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'out', 'media', 'examples', 'bench/peers', 'docs'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.base],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-explicit-any': 'error',
    },
  },
  {
    files: ['**/*.{ts,tsx,js,mjs}'],
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-debugger': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
      'no-constant-binary-expression': 'error',
      'no-unsafe-finally': 'error',
      'no-self-compare': 'error',
      'no-restricted-syntax': [
        'error',
        {
          selector: "ImportDeclaration[source.value='zod'] > :not(ImportNamespaceSpecifier, Literal)",
          message: namespaceOnly,
        },
        { selector: 'Literal[regex][raw.length > 140]', message: longPattern },
      ],
      'no-restricted-globals': ['error', 'event', 'name', 'status', 'length', 'top', 'parent', 'self'],
    },
  },
  // What a test reads off the wire has no type, and giving it one would prove nothing.
  { files: ['test/**'], rules: { '@typescript-eslint/no-explicit-any': 'off' } },
);
