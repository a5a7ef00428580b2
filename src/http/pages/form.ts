import { html } from 'hono/html';
import type { LinkId } from '../../model/ids.ts';
import type { Link } from '../../model/link.ts';
import type { Refused } from '../../model/store.ts';
import type { Markup } from './layout.ts';

/** The hidden fields of every form: a token against forgery (CSRF), and the page to return to. */
export interface FormContext {
  readonly csrf: string;
  readonly to: string;
  /** The public part of a pair; null if the pair is gone. */
  readonly linkOf: (link: LinkId) => Link | null;
  readonly now: number;
}

export const hiddenFields = (values: Readonly<Record<string, string | number>>): readonly Markup[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Carries out once what the brake refused. */
export const forceForm = (
  route: string,
  { of, why }: Refused,
  form: FormContext,
): Markup => html`<form class="act" method="post" action="/force">
  ${hiddenFields({ csrf: form.csrf, to: form.to, route, of, why })}
  <button id="force-${route}-${of}">Carry it out this once</button>
  <span class="dim">${of === 'plan' ? html`if <a href="/routes/${route}#plan">the plan</a> is right` : 'if the account still sees everything'}</span>
</form>`;
