import type { Provider } from './provider';

const openAiRules = {
  limit: 'max_completion_tokens', reasoning: 'never', callIds: 'word', brokenArguments: true, lateSystem: true, cacheMarks: false,
} as const;

/** Reasoning models of OpenAI: the o-series and GPT-5 and later. */
const openAiReasoning = /^(?:.*\/)?(o\d|gpt-(?:[5-9]|\d\d)|codex)(?!.*chat)/;

const openAiModelRules = [
  { models: openAiReasoning, rules: { temperature: false } },
  // By chat completions these take tools only where they do not reason.
  { models: /^(?:.*\/)?gpt-(?:5\.[4-9]|[6-9]|\d\d)(?!.*chat)/, rules: { effortWithTools: 'none' } },
] as const;

/** ★ The model servers that are known, in the order they are offered. A new one is one entry. Sources: docs/providers.md. */
export const providers: readonly Provider[] = [
  {
    id: 'openai', name: 'OpenAI', offered: true, hosts: ['api.openai.com'], baseUrl: 'https://api.openai.com/v1',
    keyVariables: ['OPENAI_API_KEY'], keyPage: 'https://platform.openai.com/api-keys',
    protocols: [{ models: openAiReasoning, protocol: 'responses' }],
    rules: openAiRules,
    modelRules: openAiModelRules,
  },
  {
    id: 'anthropic', name: 'Anthropic', offered: true, hosts: ['api.anthropic.com'], baseUrl: 'https://api.anthropic.com/v1',
    keyVariables: ['ANTHROPIC_API_KEY'], keyPage: 'https://console.anthropic.com/settings/keys',
    keyHeader: 'x-api-key', headers: { 'anthropic-version': '2023-06-01' },
    // Through its layer for chat completions there is no prompt cache, and its thinking does not show.
    protocols: [{ models: /(?:)/, protocol: 'messages' }],
    // Its list gives 20 models unless asked for more.
    modelList: 'models?limit=1000', modelListHeaders: { 'x-api-key': 'KEY', 'anthropic-version': '2023-06-01' },
    rules: { reasoning: 'never', callIds: 'word', formerTools: true, cacheMarks: false, severalReplies: false, effort: null },
  },
  {
    id: 'gemini', name: 'Google Gemini', offered: true, hosts: ['generativelanguage.googleapis.com'],
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'], keyPage: 'https://aistudio.google.com/apikey',
    rules: { reasoning: 'never', thoughtSignatures: true, namedResults: true, schema: 'gemini', cacheMarks: false },
    modelRules: [{ models: /gemini-[12]\b/, rules: { thoughtSignatures: false } }],
  },
  {
    id: 'mistral', name: 'Mistral', offered: true, hosts: ['api.mistral.ai'], baseUrl: 'https://api.mistral.ai/v1',
    keyVariables: ['MISTRAL_API_KEY'], keyPage: 'https://console.mistral.ai/api-keys',
    rules: {
      streamUsage: false, reasoning: 'parts', callIds: 'nine', userAfterTool: false, cacheMarks: false, efforts: ['none', 'high'],
    },
  },
  {
    id: 'openrouter', name: 'OpenRouter', offered: true, hosts: ['openrouter.ai'], baseUrl: 'https://openrouter.ai/api/v1',
    keyVariables: ['OPENROUTER_API_KEY'], keyPage: 'https://openrouter.ai/settings/keys',
    headers: { 'X-Title': 'Waymark' },
    // What it forwards may be judged by any of the others.
    rules: { callIds: 'word', effort: 'reasoning.effort' },
  },
  {
    id: 'deepseek', name: 'DeepSeek', offered: true, hosts: ['api.deepseek.com'], baseUrl: 'https://api.deepseek.com/v1',
    keyVariables: ['DEEPSEEK_API_KEY'], keyPage: 'https://platform.deepseek.com/api_keys',
    rules: { reasoning: 'reasoning_content', reasoningRequired: true, images: false, cacheMarks: false, effort: 'thinking.type' },
    modelRules: [{ models: /r1/i, rules: { reasoning: 'never', reasoningRequired: false } }],
  },
  {
    id: 'groq', name: 'Groq', offered: true, hosts: ['api.groq.com'], baseUrl: 'https://api.groq.com/openai/v1',
    keyVariables: ['GROQ_API_KEY'], keyPage: 'https://console.groq.com/keys',
    rules: { limit: 'max_completion_tokens', severalReplies: false, reasoning: 'reasoning', cacheMarks: false },
  },
  {
    id: 'xai', name: 'xAI', offered: true, hosts: ['api.x.ai'], baseUrl: 'https://api.x.ai/v1',
    keyVariables: ['XAI_API_KEY'], keyPage: 'https://console.x.ai',
    rules: { limit: 'max_completion_tokens', reasoning: 'never', cacheMarks: false },
    modelRules: [
      { models: /grok/, rules: { efforts: ['low', 'medium', 'high'] } },
      { models: /grok-4(?!\.(3|5|6|20-multi-agent))/, rules: { effort: null } },
    ],
  },
  {
    id: 'azure', name: 'Azure OpenAI', offered: true, hosts: ['openai.azure.com', 'services.ai.azure.com'],
    baseUrl: 'https://RESOURCE.openai.azure.com/openai/v1',
    keyVariables: ['AZURE_OPENAI_API_KEY'], keyPage: 'https://portal.azure.com', keyHeader: 'api-key',
    // Requests name deployments. `models` lists what could be deployed instead.
    modelList: '/openai/deployments?api-version=2023-03-15-preview',
    rules: openAiRules,
    modelRules: openAiModelRules,
    before: { '2024-09-01': { streamUsage: false, limit: 'max_tokens' } },
  },
  {
    id: 'github', name: 'GitHub Models', offered: true, hosts: ['models.github.ai'], baseUrl: 'https://models.github.ai/inference',
    keyVariables: ['GITHUB_TOKEN'], keyPage: 'https://github.com/settings/tokens', modelList: '/catalog/models',
    rules: { ...openAiRules, brokenArguments: false },
    modelRules: openAiModelRules,
  },
  {
    id: 'cerebras', name: 'Cerebras', hosts: ['api.cerebras.ai'], baseUrl: 'https://api.cerebras.ai/v1',
    keyVariables: ['CEREBRAS_API_KEY'], keyPage: 'https://cloud.cerebras.ai',
    rules: { limit: 'max_completion_tokens', reasoning: 'reasoning', cacheMarks: false },
  },
  {
    id: 'moonshot', name: 'Moonshot (Kimi)', hosts: ['moonshot.ai', 'moonshot.cn', 'kimi.com'], baseUrl: 'https://api.moonshot.ai/v1',
    keyVariables: ['MOONSHOT_API_KEY', 'KIMI_API_KEY'], keyPage: 'https://platform.moonshot.ai/console/api-keys',
    rules: {
      limit: 'max_completion_tokens', reasoning: 'reasoning_content', reasoningRequired: true, schema: 'moonshot', cacheMarks: false,
      effort: 'thinking.type', temperature: false,
    },
  },
  {
    id: 'zai', name: 'Z.ai (GLM)', hosts: ['api.z.ai', 'bigmodel.cn'], baseUrl: 'https://api.z.ai/api/paas/v4',
    keyVariables: ['ZAI_API_KEY', 'ZHIPUAI_API_KEY'], keyPage: 'https://z.ai/manage-apikey/apikey-list',
    rules: {
      streamUsage: false, reasoning: 'reasoning_content', cacheMarks: false, effort: 'thinking.type',
      // Without it arguments come as one late chunk.
      withTools: { tool_stream: true },
    },
  },
  {
    id: 'qwen', name: 'Qwen (DashScope)', hosts: ['dashscope.aliyuncs.com', 'dashscope-intl.aliyuncs.com', 'dashscope-us.aliyuncs.com'],
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    keyVariables: ['DASHSCOPE_API_KEY'],
    rules: { reasoning: 'reasoning_content', effort: 'enable_thinking' },
  },
  {
    id: 'minimax', name: 'MiniMax', hosts: ['api.minimax.io', 'api.minimaxi.com'], baseUrl: 'https://api.minimax.io/v1',
    keyVariables: ['MINIMAX_API_KEY'],
    rules: { limit: 'max_completion_tokens', reasoning: 'text', cacheMarks: false, effort: null },
  },
  {
    id: 'together', name: 'Together', hosts: ['api.together.xyz', 'api.together.ai'], baseUrl: 'https://api.together.xyz/v1',
    keyVariables: ['TOGETHER_API_KEY'], rules: { cacheMarks: false },
  },
  {
    id: 'fireworks', name: 'Fireworks', hosts: ['api.fireworks.ai'], baseUrl: 'https://api.fireworks.ai/inference/v1',
    keyVariables: ['FIREWORKS_API_KEY'], rules: { cacheMarks: false },
  },
  {
    id: 'gateway', name: 'Vercel AI Gateway', hosts: ['ai-gateway.vercel.sh'], baseUrl: 'https://ai-gateway.vercel.sh/v1',
    keyVariables: ['AI_GATEWAY_API_KEY'], rules: { callIds: 'word', effort: 'reasoning.effort' },
  },
  {
    id: 'ollama', name: 'Ollama', offered: true, hosts: [':11434'], baseUrl: 'http://127.0.0.1:11434/v1', keyVariables: [],
    rules: { severalReplies: false, cacheMarks: false },
  },
  {
    id: 'lmstudio', name: 'LM Studio', offered: true, hosts: [':1234'], baseUrl: 'http://127.0.0.1:1234/v1', keyVariables: [],
    rules: { cacheMarks: false },
  },
  {
    id: 'llamacpp', name: 'llama.cpp', offered: true, hosts: [':8080'], baseUrl: 'http://127.0.0.1:8080/v1', keyVariables: [],
    rules: { cacheMarks: false },
    // Its chat template wants words of the model between those of the user.
    modelRules: [{ models: /devstral/i, rules: { userAfterTool: false } }],
  },
  {
    id: 'vllm', name: 'vLLM', offered: true, hosts: [':8000'], baseUrl: 'http://127.0.0.1:8000/v1', keyVariables: [],
    rules: { cacheMarks: false },
  },
  {
    id: 'sglang', name: 'SGLang', hosts: [':30000'], baseUrl: 'http://127.0.0.1:30000/v1', keyVariables: [],
    rules: { cacheMarks: false },
  },
];
