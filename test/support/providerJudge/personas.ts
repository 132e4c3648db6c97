import type { Persona } from './persona';
import { anthropic } from './personas/anthropic';
import { anthropicMessages } from './personas/anthropicMessages';
import { azure } from './personas/azure';
import { cerebras } from './personas/cerebras';
import { deepseek } from './personas/deepseek';
import { fireworks } from './personas/fireworks';
import { gemini } from './personas/gemini';
import { groq } from './personas/groq';
import { gateway, github, lmstudio, sglang, together } from './personas/lenient';
import { llamacpp } from './personas/llamacpp';
import { minimax } from './personas/minimax';
import { mistral } from './personas/mistral';
import { moonshot } from './personas/moonshot';
import { ollama } from './personas/ollama';
import { openai } from './personas/openai';
import { openrouter } from './personas/openrouter';
import { qwen } from './personas/qwen';
import { strict } from './personas/strict';
import { vllm } from './personas/vllm';
import { xai } from './personas/xai';
import { zai } from './personas/zai';

/** ★ The providers that the judge can play. README.md names the source of each rule. */
export const personas: readonly Persona[] = [
  openai,
  azure,
  anthropic,
  anthropicMessages,
  gemini,
  mistral,
  groq,
  cerebras,
  deepseek,
  moonshot,
  xai,
  minimax,
  openrouter,
  ollama,
  llamacpp,
  vllm,
  strict,
  fireworks,
  zai,
  qwen,
  github,
  gateway,
  together,
  lmstudio,
  sglang,
];

export function personaNamed(name: string): Persona {
  const persona = personas.find((each) => each.name === name);
  if (!persona)
    throw new Error(`There is no persona ${name}. Choose one of ${personas.map((each) => each.name).join(', ')}.`);
  return persona;
}
