import { escapeHtml } from '#server/lib/html.ts'

/** Anybody can write the address; a whole sentence in it would read as if we had said it. */
const CODE = /^[\x21-\x7e]{1,100}$/

/** The specification's error page, section 2. Whole in itself: it must show even when nothing else does. */
export function errorPage(code: string | undefined, appName: string): string {
  const shown = code && CODE.test(code) ? code : 'Unknown'
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Ошибка — ${escapeHtml(appName)}</title>
<style>
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 440px; padding: 24px; text-align: center; }
svg { width: 56px; height: 56px; color: #d97706; }
h1 { margin: 12px 0; font-size: 24px; }
code { overflow-wrap: anywhere; }
a { display: inline-block; margin: 12px 0; padding: 12px 20px; border-radius: 8px; background: #4439ab; color: #fff; text-decoration: none; }
a:focus-visible { outline: 3px solid; outline-offset: 2px; }
</style>
</head>
<body>
<main>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Предупреждение"><path d="M12 3 2 20h20L12 3Z"/><path d="M12 10v4"/><path d="M12 17h.01"/></svg>
<h1>Что-то пошло не так</h1>
<p>Попробуйте ещё раз. Если ошибка повторится, напишите владельцу приложения и назовите код ниже.</p>
<p><a href="/">Return to Application</a></p>
<p>Код ошибки: <code>${escapeHtml(shown)}</code></p>
</main>
</body>
</html>
`
}
