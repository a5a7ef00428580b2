import { readFileSync } from 'node:fs';
import { html, raw } from 'hono/html';

/** Part of a page. `html` escapes every text that is put into it. */
export type Markup = ReturnType<typeof html>;

interface Framed {
  /** The title of the window. */
  readonly title: string;
  /** What the page is, beside the name of the program. */
  readonly what: string;
  /** Its own style, besides that of the dashboard. */
  readonly style: string;
  readonly content: readonly Markup[];
  readonly script?: string;
  /** Whether it shows pictures of other sites. */
  readonly hasPictures?: boolean;
}

/** A self-contained page in the style of the dashboard: it may be mailed, and is readable without scripts. */
export function framed({ title, what, style, content, script, hasPictures = false }: Framed): string {
  const asset = (name: string) => readFileSync(new URL(`../http/assets/${name}`, import.meta.url), 'utf8');
  const may = [
    "default-src 'none'; style-src 'unsafe-inline'",
    ...(script === undefined ? [] : ["script-src 'unsafe-inline'"]),
    ...(hasPictures ? ['img-src https: http:'] : []),
  ].join('; ');
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta http-equiv="Content-Security-Policy" content="${raw(may)}">
<title>${title} · bugferry</title>
<style>${raw(asset('family.css'))}${raw(style)}</style>
</head>
<body>
<main>
<p class="brand">${raw(asset('icon.svg'))} bugferry <span class="dim">${what}</span></p>
${content}
</main>
${script === undefined ? '' : html`<script>${raw(script)}</script>`}
</body>
</html>
`);
}
