import { readFileSync } from 'node:fs';
import { Hono } from 'hono';

/** All assets of the pages; nothing is loaded from elsewhere. */
const files: Readonly<Record<string, { readonly type: string; readonly from: URL }>> = {
  'board.css': { type: 'text/css; charset=utf-8', from: new URL('./assets/board.css', import.meta.url) },
  'family.css': { type: 'text/css; charset=utf-8', from: new URL('./assets/family.css', import.meta.url) },
  'board.js': { type: 'text/javascript; charset=utf-8', from: new URL('./assets/board.js', import.meta.url) },
  'icon.svg': { type: 'image/svg+xml', from: new URL('./assets/icon.svg', import.meta.url) },
  'uplot.css': { type: 'text/css; charset=utf-8', from: new URL('./uPlot.min.css', import.meta.resolve('uplot')) },
  'uplot.js': {
    type: 'text/javascript; charset=utf-8',
    from: new URL('./uPlot.iife.min.js', import.meta.resolve('uplot')),
  },
};

/** Read once, on the first request. Public, because the sign-in page needs them. */
export function assetRoutes(): Hono {
  const app = new Hono();
  for (const [name, { type, from }] of Object.entries(files)) {
    let content: string | null = null;
    app.get(`/${name}`, (context) => {
      content ??= readFileSync(from, 'utf8');
      return context.body(content, 200, { 'Content-Type': type, 'Cache-Control': 'max-age=300' });
    });
  }
  return app;
}
