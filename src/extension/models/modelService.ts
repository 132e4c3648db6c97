import * as vscode from 'vscode';
import type { Model as GivenModel } from '../../../api/waymark';
import type { Model } from '../../core/ports/model';
import type { PanelFacts } from '../../protocol/panel/panel';
import type { Contributed } from '../contributed/contributions';
import { ModelChoice } from './modelChoice';

/** What the window does about the choice of a model. */
export interface ModelListener {
  /** Another model may be chosen, or other things are known of it. */
  changed(): Promise<void>;
  /** Something cannot go on without a model: the person is offered what there is. */
  missing(): Promise<void>;
}

/** The model that is chosen in this window, and what is known of it without looking it up again. */
export class ModelService implements vscode.Disposable {
  readonly choice: ModelChoice;
  private known: PanelFacts['model'];
  private readonly listening: vscode.Disposable;

  /** `given`: models of other extensions. */
  constructor(
    context: vscode.ExtensionContext,
    given: Contributed<GivenModel>,
    private readonly listener: ModelListener,
  ) {
    this.choice = new ModelChoice(context, given);
    const refresh = (): void => void this.refresh();
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('waymark')) refresh();
      }),
      context.secrets.onDidChange(refresh),
      vscode.lm.onDidChangeChatModels(refresh),
      given.onDidChange(refresh),
    );
  }

  /** What was known when it was looked up last; undefined while none is chosen. */
  get current(): PanelFacts['model'] {
    return this.known;
  }

  /** "" while none is chosen. */
  get name(): string {
    return this.known?.name ?? '';
  }

  /** Looks up what is chosen. */
  async refresh(): Promise<void> {
    const info = await this.choice.chosen().then(
      (model) => model?.info,
      () => undefined,
    );
    this.known = info && {
      name: info.name,
      provider: info.provider,
      scripted: info.scripted === true,
      contextWindow: info.contextWindow,
    };
    await this.listener.changed();
  }

  /**
   * The chosen model; undefined, after models were offered, while none is. Throws an `Error`
   * in words where the choice cannot be used.
   */
  async required(): Promise<Model | undefined> {
    const model = await this.choice.chosen();
    if (!model) await this.offer();
    return model;
  }

  /** Shows what can be chosen. */
  offer(): Promise<void> {
    return this.listener.missing();
  }

  named(text: string): Promise<Model> {
    return this.choice.named(text);
  }

  byName(text: string): Promise<Model> {
    return this.choice.byName(text);
  }

  dispose(): void {
    this.listening.dispose();
  }
}
