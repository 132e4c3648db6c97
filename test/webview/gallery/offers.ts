import type { ModelOffer, ToPanel } from '../../../src/protocol/panel/panel';

export const starters: ToPanel = {
  type: 'starters',
  tasks: [
    {
      icon: 'beaker',
      label: 'Run the tests and fix what fails',
      task: 'Run the tests. Fix what fails, and run them again.',
    },
    { icon: 'checklist', label: 'List the TODO comments', task: 'List the TODO comments of this project.' },
    { icon: 'file-code', label: 'Explain src/add.ts', task: 'Explain @src/add.ts.' },
    { icon: 'book', label: 'Explain this project', task: 'Explain this project from @README.md and its code.' },
  ],
  recent: [
    {
      id: 's1',
      title: 'Fix the failing test in src/add.ts, and say what was wrong',
      detail: 'Finished · 1/15/26, 9:02 AM · 6 steps · 1 file · $0.04',
    },
    { id: 's2', title: 'Explain the parser', detail: 'Answered · 1/14/26, 4:40 PM · 3 steps' },
  ],
};

const providerOffer = (id: string, label: string, detail = ''): ModelOffer => ({
  id,
  group: 'provider',
  label,
  detail,
  available: true,
});
const localOffer = (id: string, label: string): ModelOffer => ({
  id,
  group: 'machine',
  label,
  detail: '',
  available: true,
});
export const offers: ModelOffer[] = [
  {
    id: 'vscode',
    label: 'Use a model from VS Code',
    detail: 'A language model that another extension offers',
    available: false,
  },
  providerOffer('openai', 'OpenAI', 'key found'),
  providerOffer('anthropic', 'Anthropic', 'key saved'),
  providerOffer('gemini', 'Google Gemini'),
  providerOffer('mistral', 'Mistral'),
  providerOffer('openrouter', 'OpenRouter'),
  providerOffer('deepseek', 'DeepSeek'),
  providerOffer('groq', 'Groq'),
  providerOffer('xai', 'xAI'),
  providerOffer('azure', 'Azure OpenAI'),
  providerOffer('github', 'GitHub Models', 'key found'),
  {
    id: 'local',
    group: 'machine',
    label: 'Find running models',
    detail: 'Looks for Ollama, LM Studio, llama.cpp and vLLM on their default ports.',
    available: true,
  },
  localOffer('ollama', 'Ollama'),
  localOffer('lmstudio', 'LM Studio'),
  localOffer('llamacpp', 'llama.cpp'),
  localOffer('vllm', 'vLLM'),
  {
    id: 'endpoint',
    label: 'Enter an endpoint and key',
    detail: 'Any server that speaks the OpenAI protocol',
    available: true,
  },
  {
    id: 'tutorial',
    label: 'Play the tutorial',
    detail: 'A script stands in for the model. Its tools, terminal, edits and approvals are real.',
    available: true,
  },
];
