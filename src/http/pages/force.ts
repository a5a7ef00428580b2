import { html } from 'hono/html';
import type { Refused } from '../../model/store.ts';
import type { Markup } from './layout.ts';
import type { FormContext } from './trouble.ts';

export const hidden = (values: Readonly<Record<string, string | number>>): readonly Markup[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** Carries out once what the brake refused. */
export const forceForm = (
  route: string,
  { of, why }: Refused,
  form: FormContext,
): Markup => html`<form class="act" method="post" action="/force">
  ${hidden({ csrf: form.csrf, to: form.to, route, of, why })}
  <button id="force-${route}-${of}">Carry it out this once</button>
  <span class="dim">${of === 'plan' ? html`if <a href="/routes/${route}#plan">the plan</a> is right` : 'if the account still sees everything'}</span>
</form>`;
