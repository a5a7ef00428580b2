import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { linkId } from '../model/ids.ts';
import { namedIn } from '../model/named.ts';
import { type Access, freshSecret, isFromElsewhere, placeOf } from './access.ts';
import { actionOf, type Fields } from './action.ts';
import type { AdminPort } from './admin-port.ts';
import { isSameSecret } from './guard-token.ts';
import { type History, historyBeginsAt, historyOf, live, slotMs } from './live.ts';
import { openNotes } from './notes.ts';
import { activityPart, historyPart } from './pages/activity.ts';
import type { FormContext } from './pages/form.ts';
import { layout, type Markup, type Page } from './pages/layout.ts';
import { linkPage, notFoundPage, signInPage, unknownPage } from './pages/link.ts';
import { needsYouPart } from './pages/needs-you.ts';
import { filterIn, pairsPage, pairsPath } from './pages/pairs.ts';
import { routePage, timesPart } from './pages/route.ts';
import { routesPart } from './pages/routes.ts';
import { verdictPart } from './pages/verdict.ts';

const movingMax = 8;
/** Lines of one pair become one. */
const latestMax = 200;
const plannedMax = 50;
const pairsMax = 50;
/** Longer than any title of a tracker. */
const wordsMax = 300;

/** A form holds at most both values of a conflict, which may be long lists. */
const formLimit = bodyLimit({ maxSize: 200_000, onError: (context) => context.text('The form is too large.\n', 413) });

/** The dashboard. Actions answer with a redirect, so that reloading never repeats one. */
export function boardRoutes(adminPort: AdminPort, token: string | null): Hono {
  const app = new Hono();
  const notes = openNotes();
  const seal = freshSecret();
  const show = (context: Context, page: Omit<Page, 'note' | 'isSigned'>, status: 200 | 403 | 404 = 200) =>
    context.html(layout({ ...page, note: notes.take(context.req.query('note')), isSigned: token !== null }), status);
  const form = (context: Context): FormContext => ({
    csrf: seal,
    to: placeWithoutNote(context),
    linkOf: (id) => adminPort.link(id),
    now: adminPort.now(),
  });

  app.get('/', (context) => show(context, { title: 'Status', body: overview(adminPort, form(context)), isLive: true }));
  app.get('/links/:id{[0-9]+}', (context) => {
    const link = adminPort.link(linkId(Number(context.req.param('id'))));
    if (link === null)
      return show(
        context,
        {
          title: 'Not found',
          body: notFoundPage('There is no such pair', [
            'It may have been given up; search for its bug or issue above.',
          ]),
        },
        404,
      );
    const story = adminPort.story(link);
    return show(context, {
      title: story.heading,
      body: linkPage(link, story, adminPort.conflictsOf(link.id), form(context)),
      isLive: true,
    });
  });
  addLists(app, adminPort, { show, form });
  addSearch(app, adminPort, { show, form });
  app.get('/history.json', (context) => context.json(history(adminPort)));
  app.get('/live', (context) => live(context, adminPort));
  app.on(
    'POST',
    ['/decide', '/retry', '/resync', '/run', '/pause', '/resume', '/force'],
    formLimit,
    csrf(),
    async (context) => {
      const fields = await fieldsOf(context);
      if (typeof fields['csrf'] !== 'string' || !isSameSecret(fields['csrf'], seal)) return refused(context);
      const action = actionOf(context.req.path.slice(1), fields);
      const words = action === null ? 'The form was invalid; nothing was changed.' : await adminPort.act(action);
      const to = placeOf(typeof fields['to'] === 'string' ? fields['to'] : '/');
      return context.redirect(`${to}${to.includes('?') ? '&' : '?'}note=${notes.keep(words)}`, 303);
    },
  );
  // Hono asks only the outermost app for its `notFound`.
  app.get('*', (context) =>
    show(context, { title: 'Not found', body: notFoundPage('There is no such page', []) }, 404),
  );
  return app;
}

interface Showing {
  readonly show: (
    context: Context,
    page: Omit<Page, 'note' | 'isSigned'>,
    status?: 200 | 403 | 404,
  ) => Response | Promise<Response>;
  readonly form: (context: Context) => FormContext;
}

/** The search field: a bug, an issue or words of a title. */
function addSearch(app: Hono, adminPort: AdminPort, { show }: Showing): void {
  app.get('/find', async (context) => {
    const query = (context.req.query('q') ?? '').trim();
    const target = namedIn(query);
    if (target === null) {
      // The search covers the titles of the first route; the page links to the others.
      const route = adminPort.statuses()[0]?.route ?? '';
      return context.redirect(pairsPath({ route, filter: 'all', words: query }));
    }
    const link = adminPort.find(target);
    if (link !== null) return context.redirect(`/links/${link.id}`);
    if (isFromElsewhere(context)) {
      const help = [
        'A page of another site led here, so neither side was asked. Press Enter in the search field to ask them.',
      ];
      return show(context, { title: 'Find', body: unknownPage(query, help), query }, 403);
    }
    return show(
      context,
      { title: target.about, body: unknownPage(target.about, await adminPort.whyNot(target)), query },
      404,
    );
  });
}

/** The page of a route, and the lists of its pairs. */
function addLists(app: Hono, adminPort: AdminPort, { show, form }: Showing): void {
  app.get('/routes/:name', (context) => {
    const name = context.req.param('name');
    const statuses = adminPort.statuses();
    const status = statuses.find(({ route }) => route === name);
    if (status === undefined)
      return show(
        context,
        { title: 'Not found', body: notFoundPage(`There is no route ${name}`, routesInWords(statuses)) },
        404,
      );
    const [planned, about, homes] = [adminPort.planned(name, plannedMax), adminPort.about(), adminPort.homes(name)];
    return show(context, {
      title: `Route ${name}`,
      body: routePage({ status, planned, about, homes }, form(context)),
      isLive: true,
    });
  });
  app.get('/pairs', (context) => {
    const { route: name, show: filter, q = '', before = '' } = context.req.query();
    const statuses = adminPort.statuses();
    const routes = statuses.map(({ route }) => route);
    const route = name === undefined ? routes[0] : routes.find((each) => each === name);
    if (route === undefined)
      return show(
        context,
        {
          title: 'Not found',
          body: notFoundPage(
            name === undefined ? 'There is no route' : `There is no route ${name}`,
            routesInWords(statuses),
          ),
        },
        404,
      );
    const words = q.trim().slice(0, wordsMax);
    const query = {
      route,
      filter: filterIn(filter),
      words,
      before: /^\d{1,15}$/u.test(before) ? linkId(Number(before)) : null,
    };
    const body = pairsPage(query, routes, adminPort.pairs(query, pairsMax), adminPort.now());
    return show(context, { title: `Pairs of ${route}`, body });
  });
}

const routesInWords = (statuses: ReturnType<AdminPort['statuses']>): readonly string[] => [
  statuses.length === 0
    ? 'The configuration has no route. Add one, and start the bridge again.'
    : `The configuration has: ${statuses.map(({ route }) => route).join(', ')}.`,
];

/** The pages for signing in and out, which work without the cookie. */
export function signInRoutes(access: Access, token: string | null): Hono {
  const app = new Hono();
  if (token === null) return app;
  app.get('/sign-in', async (context) => {
    const to = placeOf(context.req.query('to') ?? '/');
    return (await access.isKnown(context)) ? context.redirect(to) : context.html(signInLayout(to, false));
  });
  app.post('/sign-in', formLimit, csrf(), async (context) => {
    const { token: shown, to } = await fieldsOf(context);
    const place = placeOf(typeof to === 'string' ? to : '/');
    if (typeof shown !== 'string' || !(await access.signIn(context, shown.trim())))
      return context.html(signInLayout(place, true), 401);
    return context.redirect(place, 303);
  });
  app.post('/sign-out', csrf(), (context) => {
    access.signOut(context);
    return context.redirect('/sign-in', 303);
  });
  return app;
}

/** The fields of a form. Anything else answers 400: it is the client's error, not ours. */
async function fieldsOf(context: Context): Promise<Fields> {
  try {
    return await context.req.parseBody();
  } catch (cause) {
    throw new HTTPException(400, { message: 'The request contains no form.\n', cause });
  }
}

const signInLayout = (to: string, isWrong: boolean): Markup =>
  layout({ title: 'Sign in', body: signInPage(to, isWrong), hasSearch: false });

function overview(adminPort: AdminPort, form: FormContext): readonly Markup[] {
  const [statuses, now] = [adminPort.statuses(), adminPort.now()];
  const about = adminPort.about();
  return [
    verdictPart(statuses, form),
    needsYouPart(statuses, form),
    routesPart(statuses, about.next, now),
    historyPart(history(adminPort), now),
    activityPart({
      moving: adminPort.moving(movingMax),
      latest: adminPort.latest(latestMax),
      now,
      linkOf: form.linkOf,
    }),
    timesPart(about, now),
  ].flatMap((part) => (part === '' ? [] : [part]));
}

function history(adminPort: AdminPort): History {
  const now = adminPort.now();
  const [first] = adminPort.statuses();
  const hour = first?.sides.github.budgets.find(({ name }) => name === 'creations an hour');
  return historyOf(adminPort.tally(historyBeginsAt(now), slotMs), now, hour?.max ?? null);
}

function placeWithoutNote(context: Context): string {
  const url = new URL(context.req.url);
  url.searchParams.delete('note');
  return `${url.pathname}${url.search}`;
}

const refused = (context: Context): Response =>
  context.text('The form is out of date or from another site. Go back, reload the page and try again.\n', 403);
