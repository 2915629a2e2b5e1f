import { escapeHtml, htmlPage } from '#server/lib/html.ts'

/** The code comes from the URL; free text in it would look like our own message. */
const CODE = /^[\x21-\x7e]{1,100}$/

/** The error page of the specification, section 2. It needs no other file. */
export function errorPage(code: string | undefined, appName: string): string {
  const shown = code && CODE.test(code) ? code : 'Unknown'
  return htmlPage({
    title: `Ошибка — ${appName}`,
    style: `
body { min-height: 100vh; display: grid; place-items: center; }
main { max-width: 440px; padding: 24px; text-align: center; }
svg { width: 56px; height: 56px; color: #d97706; }
h1 { margin: 12px 0; font-size: 24px; }
code { overflow-wrap: anywhere; }`,
    body: `<main>
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Предупреждение"><path d="M12 3 2 20h20L12 3Z"/><path d="M12 10v4"/><path d="M12 17h.01"/></svg>
<h1>Что-то пошло не так</h1>
<p>Попробуйте ещё раз. Если ошибка повторится, напишите владельцу приложения и назовите код ниже.</p>
<p><a class="button" href="/">Return to Application</a></p>
<p>Код ошибки: <code>${escapeHtml(shown)}</code></p>
</main>`,
  })
}
