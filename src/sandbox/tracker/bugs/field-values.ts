import { type ChoiceName, choicesIn } from '../installation/installation.ts';
import { namesOf } from '../installation/product-parts.ts';
import { maySeeProduct, type Viewer } from '../installation/users.ts';
import { way } from '../installation/versions.ts';
import { componentMissing, noSuch, noSuchKeyword, notSpecified, TrackerError } from '../server/errors.ts';
import { type Message, messages } from '../server/messages.ts';
import type { Component, Product, TrackerState } from '../world/state.ts';
import { bugWithAlias } from './bugs.ts';

/** Checks of single values: each returns the value in the form that the server keeps, or throws. */

export function choiceOf(state: TrackerState, name: ChoiceName, wanted: string): string {
  const { label, values } = choicesIn(state)[name];
  if (wanted.trim() === '') throw notSpecified(label);
  const value = values.find((candidate) => same(candidate, wanted));
  if (value === undefined) throw noSuch(label, wanted);
  return value;
}

export function productFor(state: TrackerState, viewer: Viewer, name: string): Product | null {
  const product = state.products.find((candidate) => same(candidate.name, name));
  return product === undefined || !maySeeProduct(viewer, product) ? null : product;
}

export function componentOf(product: Product, name: string): Component {
  if (name.trim() === '') throw componentMissing();
  const component = product.components.find((candidate) => same(candidate.name, name));
  if (component === undefined) throw noSuch('component', name, ` in the '${product.name}' product`);
  return component;
}

export const versionOf = (product: Product, name: string): string =>
  member(product, namesOf(product.versions), 'version', name);
export const milestoneOf = (product: Product, name: string): string =>
  member(product, namesOf(product.milestones), 'milestone', name);
export const defaultMilestone = ({ milestones }: Product): string => milestones[0]?.name ?? '---';

/** A summary on one line: control characters become spaces. */
export function summaryOf(text: string): string {
  const summary = text.replace(/[^\P{Cc}\u0080-\u009f]+/gu, ' ').trim();
  if (summary === '') throw new TrackerError(107, 400, 'You must enter a summary for this bug.');
  return limited('Summary', summary);
}

/** Free text of one line, up to 255 characters of any plane. */
export function limited(label: string, text: string): string {
  const length = [...text].length;
  if (length <= 255) return text;
  throw new TrackerError(
    104,
    400,
    `The text you entered in the ${label} field is too long (${length} characters, above the maximum length allowed of 255 characters).`,
  );
}

export function keywordsOf(state: TrackerState, names: readonly string[]): readonly string[] {
  return names.map((name) => {
    const keyword = state.keywords.find((candidate) => same(candidate.name, name));
    if (keyword === undefined) throw noSuchKeyword(name);
    return keyword.name;
  });
}

/** An alias that no other bug has. */
export function aliasOf(state: TrackerState, bug: number, alias: string): string {
  const refused = (why: string | Message): TrackerError => new TrackerError(103, 400, why);
  if ([...alias].length > 40)
    throw refused('Bug aliases cannot be longer than 40 characters. Please choose a shorter alias.');
  if (/[\s,]/.test(alias)) {
    throw refused(messages.aliasParted(alias));
  }
  if (/^\d+$/.test(alias)) {
    throw refused(
      `You tried to give this bug the alias ${alias}, but aliases cannot be merely numbers, since they could then be confused with bug IDs. Please choose an alias containing at least one letter.`,
    );
  }
  const owner = bugWithAlias(state, alias);
  if (owner === undefined || owner.id === bug) return alias;
  throw refused(messages.aliasTaken(owner.id, alias));
}

/** Whether a product takes this group, whatever its own groups are. */
export const isAlwaysTaken = (state: TrackerState, group: string): boolean =>
  way(state, 'insidersEverywhere') && group === state.settings.insidergroup;

export const groupRefused = (product: Product, bug: number | null, name: string): TrackerError =>
  new TrackerError(
    120,
    401,
    `You tried to restrict ${bug === null ? 'a bug' : `bug ${bug}`} to the '${name}' group, but either this group does not exist, or you are not allowed to restrict bugs to this group in the '${product.name}' product.`,
  );

function member(product: Product, members: readonly string[], kind: string, name: string): string {
  if (name.trim() === '') throw notSpecified(kind);
  const value = members.find((candidate) => same(candidate, name));
  if (value === undefined) throw noSuch(kind, name, ` in the '${product.name}' product`);
  return value;
}

const same = (one: string, other: string): boolean => one.trim().toLowerCase() === other.trim().toLowerCase();
