const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => signs[sign] ?? sign)
}

interface Page {
  title: string
  style: string
  body: string
  referrer?: 'no-referrer' | 'same-origin'
}

/** A complete page without scripts or other files. */
export function htmlPage({ title, style, body, referrer = 'no-referrer' }: Page): string {
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="${referrer}">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
.button { display: inline-block; padding: 12px 24px; border-radius: 10px; background: #4439ab; color: #fff; text-decoration: none; }
.button:focus-visible { outline: 3px solid; outline-offset: 2px; }
${style}
</style>
</head>
<body>
${body}
</body>
</html>
`
}
