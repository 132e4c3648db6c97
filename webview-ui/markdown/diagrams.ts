import { effect } from '@preact/signals';
import { text } from '../base/text';
import { draughtsman, loadLayout } from '../layout/loadLayout';

/** Draws the blocks of Mermaid below an element, as soon as the script for it is here. Returns how to give up. */
export function drawDiagrams(element: HTMLElement): (() => void) | undefined {
  const codes = [...element.querySelectorAll<HTMLElement>('code[data-language="mermaid"]')];
  const blocks = codes.flatMap((code) => code.closest<HTMLElement>('.code') ?? []);
  if (blocks.length === 0) return undefined;
  loadLayout();
  return effect(() => {
    for (const block of blocks) draughtsman.value?.showDiagram(block, text);
  });
}
