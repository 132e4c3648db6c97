import * as vscode from 'vscode';
import type { Model as GivenModel } from '../../../api/waymark';
import type { Model } from '../../core/ports/model';
import type { PanelFacts } from '../../protocol/panel/panel';
import type { Contributed } from '../contributed/contributions';
import { ModelChoice } from './modelChoice';

/** How the window reacts to changes of the model. */
interface ModelListener {
  /** The chosen model, or what is known about it, may have changed. */
  changed(): Promise<void>;
  /** An action needs a model: offer the available ones. */
  missing(): Promise<void>;
}

/** The chosen model of this window, with cached facts about it. */
export class ModelService implements vscode.Disposable {
  readonly choice: ModelChoice;
  private facts: PanelFacts['model'];
  private readonly listening: vscode.Disposable;

  /** `given`: models of other extensions. */
  constructor(
    context: vscode.ExtensionContext,
    contributed: Contributed<GivenModel>,
    private readonly listener: ModelListener,
  ) {
    this.choice = new ModelChoice(context, contributed);
    const refresh = (): void => void this.refresh();
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('waymark')) refresh();
      }),
      context.secrets.onDidChange(refresh),
      vscode.lm.onDidChangeChatModels(refresh),
      contributed.onDidChange(refresh),
    );
  }

  /** The result of the last `refresh`; undefined if no model is chosen. */
  get current(): PanelFacts['model'] {
    return this.facts;
  }

  /** Name of the chosen model; "" if none is chosen. */
  get name(): string {
    return this.facts?.name ?? '';
  }

  /** Updates the cached facts about the chosen model. */
  async refresh(): Promise<void> {
    const info = await this.choice.chosenModel().then(
      (model) => model?.info,
      () => undefined,
    );
    this.facts = info && {
      name: info.name,
      provider: info.provider,
      scripted: info.scripted === true,
      textOnly: info.textOnly === true,
      contextWindow: info.contextWindow,
    };
    await this.listener.changed();
  }

  /**
   * Returns the chosen model. If none is chosen, offers the available ones and returns undefined. Throws an `Error`
   * with a message for people if the choice cannot be used.
   */
  async requireModel(): Promise<Model | undefined> {
    const model = await this.choice.chosenModel();
    if (!model) await this.offer();
    return model;
  }

  /** Shows the available models. */
  offer(): Promise<void> {
    return this.listener.missing();
  }

  modelFromSetting(text: string): Promise<Model> {
    return this.choice.modelFromSetting(text);
  }

  byName(text: string): Promise<Model> {
    return this.choice.byName(text);
  }

  dispose(): void {
    this.listening.dispose();
  }
}
